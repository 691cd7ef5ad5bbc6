import { setTimeout } from 'node:timers/promises';

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
