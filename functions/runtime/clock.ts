import { setTimeout } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import type { Context } from 'aws-lambda';

/** Milliseconds UTC. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (milliseconds, signal) => {
    await setTimeout(milliseconds, undefined, { signal });
  },
};

/** Milliseconds that a run keeps for its answer after the last mail. */
export const AFTER_MAIL = 5_000;

/** Milliseconds: Lambda's own limit. */
const LONGEST_RUN = 15 * 60_000;

/** Milliseconds until the function is ended. A call by hand may pass no context, or an empty object. */
export function remainingTime(
  context: Partial<Pick<Context, 'getRemainingTimeInMillis'>> | undefined,
): number {
  return context?.getRemainingTimeInMillis?.() ?? LONGEST_RUN;
}

/** An id such as `20261121T030005Z-9f2c61aa`, which sorts by time. @param now milliseconds UTC */
export function newRunId(now: number): string {
  const time = new Date(now)
    .toISOString()
    .replace(/\.\d{3}Z$/, 'Z')
    .replace(/[-:]/g, '');
  return `${time}-${randomBytes(4).toString('hex')}`;
}
