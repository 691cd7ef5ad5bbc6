import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SandboxMerchant } from '../sandbox/payments/index.ts';

/** What the service of one measurement holds. `latency` in milliseconds a request. */
export interface ServiceOptions {
  invoices: number;
  perPage: number;
  latency: number;
  day: string;
}

/** Where the service's process listens. */
export interface ServiceReady {
  origin: string;
  environment: Record<string, string>;
  merchant: SandboxMerchant;
}

/** The ways to read a day that are compared. */
export type Way = 'daybook' | 'bare' | 'sequential';

/** One reading, in a process of its own. `peak` is the resident set at its largest, bytes. */
export interface Measured {
  milliseconds: number;
  /** Milliseconds of processor time, of all threads. */
  cpu: number;
  peak: number;
  rows: number;
}

/** What a reader's process is told. */
export interface ReaderTask extends ServiceReady {
  way: Way;
  day: string;
  maxConcurrency: number;
  /** Run once before, so that the service has its pages ready. */
  warmUp: boolean;
}

/** The heap of a 512 MB function. */
export const FUNCTION_HEAP = ['--max-semi-space-size=8', '--max-old-space-size=400'];

function start(file: string, task: unknown, execArgv: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, [JSON.stringify(task)], {
    execArgv: ['--disable-warning=ExperimentalWarning', ...execArgv],
  });
}

async function firstMessage(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a measuring process ended with ${String(code)} before it answered`);
  });
  ended.catch(() => undefined);
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
  return message;
}

/** Runs `use` with a service in a process of its own. */
export async function withService<T>(
  options: ServiceOptions,
  use: (service: ServiceReady) => Promise<T>,
): Promise<T> {
  const child = start('service.worker.ts', options, []);
  try {
    return await use((await firstMessage(child)) as ServiceReady);
  } finally {
    child.disconnect();
    await once(child, 'exit');
  }
}

/** Reads the day once in a fresh process. */
export async function readDay(task: ReaderTask, execArgv: readonly string[] = []): Promise<Measured> {
  const child = start('reader.worker.ts', task, execArgv);
  const exit = once(child, 'exit');
  const measured = (await firstMessage(child)) as Measured;
  await exit;
  return measured;
}
