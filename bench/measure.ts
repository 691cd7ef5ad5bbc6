import { startChild } from './child.ts';
import type { RunningService, ServiceOptions } from './service.worker.ts';
import type { Way } from './reader.worker.ts';
import { DAY } from './days.ts';

/** One measurement, in a process of its own. `peak` is the largest resident set, bytes. */
export interface Measured {
  milliseconds: number;
  /** Processor time of all threads, milliseconds. */
  cpu: number;
  peak: number;
  rows: number;
}

export interface ReaderTask extends Pick<RunningService, 'origin' | 'environment' | 'merchant'> {
  day: string;
}

export interface Reading extends ReaderTask {
  way: Way;
  /** Run once before the measurement, so that the service has its pages ready. */
  warmUp: boolean;
}

interface Service {
  measure: (way: Way, options?: { warmUp?: boolean; execArgv?: readonly string[] }) => Promise<Measured>;
}

/** The heap of a 512 MB function. */
export const FUNCTION_HEAP = ['--max-semi-space-size=8', '--max-old-space-size=400'];

async function measureOnce(reading: Reading, execArgv: readonly string[]): Promise<Measured> {
  const child = startChild({ file: 'reader.worker.ts', execArgv });
  try {
    return await child.ask<Measured>('measure', reading);
  } finally {
    await child.close();
  }
}

/** Runs `use` with a service in a process of its own. */
export async function withService<T>(
  options: ServiceOptions,
  use: (service: Service) => Promise<T>,
): Promise<T> {
  const child = startChild({ file: 'service.worker.ts' });
  try {
    const running = await child.ask<RunningService>('start', options);
    return await use({
      measure: (way, { warmUp = false, execArgv = [] } = {}) =>
        measureOnce({ ...running, way, day: DAY, warmUp }, execArgv),
    });
  } finally {
    await child.close();
  }
}
