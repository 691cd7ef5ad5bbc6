import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface ChildOptions {
  /** The file, from this folder. */
  file: string;
  execArgv?: readonly string[];
  /** All variables that it sees. Default: those of this process. */
  environment?: Record<string, string>;
}

export type Child = ReturnType<typeof startChild>;

/** The end of its stderr that is shown in the error. Characters. */
const TOLD = 2_000;

/** Starts a process that performs requests, several at the same time, and answers each. */
export function startChild({ file, execArgv = [], environment }: ChildOptions) {
  const child: ChildProcess = fork(new URL(file, import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning', ...execArgv],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...(environment === undefined ? {} : { env: environment }),
  });
  const open = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();
  let asked = 0;
  let printed = 0;
  let complaints = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.length));
  child.stderr?.on('data', (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-TOLD)));
  const exit = once(child, 'exit').then(([code, signal]: unknown[]) => {
    const error = new Error(`${file} ended (${String(signal ?? code)}). ${complaints}`.trim());
    for (const { reject } of open.values()) reject(error);
    open.clear();
  });
  child.on('message', (message) => {
    const { id, answer, error } = message as { id: number; answer?: unknown; error?: string };
    const waiting = open.get(id);
    open.delete(id);
    if (error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(`${file}: ${error}`));
  });
  return {
    /** @throws Error with the message of an error there, or because the process has ended */
    ask: <T>(operation: string, input?: unknown): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        if (!child.connected) {
          reject(new Error(`${file} has ended. ${complaints}`.trim()));
          return;
        }
        asked += 1;
        open.set(asked, { resolve: resolve as (answer: unknown) => void, reject });
        child.send({ id: asked, operation, input });
      }),
    printed: () => printed,
    close: async (): Promise<void> => {
      if (child.connected) child.disconnect();
      await exit;
    },
  };
}

/** Answers the requests of the parent process, and ends with it. */
export function serve(
  operations: Record<string, (input: never) => unknown>,
  close: () => Promise<unknown> = () => Promise.resolve(),
): void {
  process.on('message', (message) => {
    const { id, operation, input } = message as { id: number; operation: string; input: never };
    void Promise.resolve()
      .then(() => operations[operation]?.(input))
      .then(
        (answer) => ({ id, answer: answer ?? null }),
        (error: unknown) => ({
          id,
          error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
        }),
      )
      .then((reply) => process.send?.(reply));
  });
  // Ctrl-C reaches every process of the terminal. This one ends with its parent, which removes its files.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.once('disconnect', () => {
    void close().finally(() => process.exit());
  });
}

/** In memory on Linux, so that short-lived files need not wait for a disk. */
const IN_MEMORY = '/dev/shm';

/** A new directory for files that are written, read and removed thousands of times. */
export function fastDirectory(name: string): string {
  return mkdtempSync(join(isWritable(IN_MEMORY) ? IN_MEMORY : tmpdir(), `daybook-fleet-${name}-`));
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
