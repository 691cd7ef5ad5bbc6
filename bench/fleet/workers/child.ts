import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** How a process is started. */
export interface ChildOptions {
  /** The file beside this one. */
  file: string;
  execArgv?: readonly string[];
  /** The only variables that it sees; left out, those of this process. */
  environment?: Record<string, string>;
}

/** A process that does what it is asked, one thing or several at a time, and says what came of each. */
export interface Child {
  pid: number;
  /** @throws Error with the message of what was thrown there, or that the process has ended */
  ask: <T>(operation: string, input?: unknown) => Promise<T>;
  /** Bytes that it has printed on stdout. */
  printed: () => number;
  close: () => Promise<void>;
}

interface Reply {
  id: number;
  answer?: unknown;
  error?: string;
}

/** So much of what a process complains of goes into the error that tells of its end. Characters. */
const TOLD = 2_000;

export function startChild({ file, execArgv = [], environment }: ChildOptions): Child {
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
    const { id, answer, error } = message as Reply;
    const waiting = open.get(id);
    open.delete(id);
    if (error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(`${file}: ${error}`));
  });
  return {
    pid: child.pid ?? 0,
    ask: <T>(operation: string, input?: unknown) =>
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
    close: async () => {
      if (child.connected) child.disconnect();
      await exit;
    },
  };
}
