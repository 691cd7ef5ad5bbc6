import { setTimeout } from 'node:timers/promises';
import type { Clock } from '#functions/shared/ports.ts';

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (milliseconds, signal) => {
    await setTimeout(milliseconds, undefined, { signal });
  },
};
