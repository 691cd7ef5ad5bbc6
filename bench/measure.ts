import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SandboxMerchant } from '#sandbox/payments/index.ts';

/** The invoice types of the measured merchant. */
export const INVOICE_TYPES = ['1', '0', '6', '7'];

/** The data of the service in one measurement. `latency` is in milliseconds per request. */
export interface ServiceOptions {
  invoices: number;
  perPage: number;
  latency: number;
  day: string;
  /** How many days have that many invoices, the last one is `day`. Default 1. */
  days?: number;
  /** The most requests of Daybook in flight. */
  maxConcurrency: number;
}

/** The address of the service's process, and the variables of a function that uses it. */
export interface ServiceReady {
  origin: string;
  environment: Record<string, string>;
  merchant: SandboxMerchant;
}

/** What is measured: the product, parts of it as they are deployed, and loops to compare them with. */
export type Way =
  | 'daybook'
  | 'bare'
  | 'tuned'
  | 'tunedHttp'
  | 'sequential'
  | 'report'
  | 'smallReports'
  | 'unchangedDays'
  | 'bareReports'
  | 'bareUnchanged'
  | 'mails'
  | 'alertChecks'
  | 'bareChecks';

/** One measurement, in a process of its own. `peak` is the largest resident set, bytes. */
export interface Measured {
  milliseconds: number;
  /** Processor time of all threads, milliseconds. */
  cpu: number;
  peak: number;
  /** Rows, mails, checks or days. */
  rows: number;
}

/** The parameters of a reader's process. */
export interface ReaderTask extends ServiceReady {
  way: Way;
  day: string;
  maxConcurrency: number;
  /** Run once before the measurement, so that the service has its pages ready. */
  warmUp: boolean;
}

/** A service that is running. */
export interface Service {
  /** Measures one way in a fresh process. */
  measure: (way: Way, options?: { warmUp?: boolean; execArgv?: readonly string[] }) => Promise<Measured>;
  /** Requests to the payment service since the last call. */
  requests: () => Promise<number>;
}

/** The heap of a 512 MB function. */
export const FUNCTION_HEAP = ['--max-semi-space-size=8', '--max-old-space-size=400'];

function start(file: string, task: unknown, execArgv: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, [JSON.stringify(task)], {
    execArgv: ['--disable-warning=ExperimentalWarning', ...execArgv],
  });
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a measuring process ended with ${String(code)} before it answered`);
  });
  ended.catch(() => undefined);
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
  return message;
}

async function measureOnce(task: ReaderTask, execArgv: readonly string[]): Promise<Measured> {
  const child = start('reader.worker.ts', task, execArgv);
  const exit = once(child, 'exit');
  const measured = (await nextMessage(child)) as Measured;
  await exit;
  return measured;
}

/** Runs `use` with a service in a process of its own. */
export async function withService<T>(
  options: ServiceOptions,
  use: (service: Service) => Promise<T>,
): Promise<T> {
  const child = start('service.worker.ts', options, []);
  try {
    const ready = (await nextMessage(child)) as ServiceReady;
    const { day, maxConcurrency } = options;
    return await use({
      measure: (way, { warmUp = false, execArgv = [] } = {}) =>
        measureOnce({ ...ready, way, day, maxConcurrency, warmUp }, execArgv),
      requests: async () => {
        child.send('requests');
        return (await nextMessage(child)) as number;
      },
    });
  } finally {
    child.disconnect();
    await once(child, 'exit');
  }
}
