import type { FunctionName } from '#lib/functions.ts';
import type { Random } from '#sandbox/payments/day/random.ts';

/** Where an invocation ends its own process: at its n-th request, before the request leaves or after its answer. */
export interface Death {
  /** Counts from 1. */
  request: number;
  when: 'before' | 'after';
}

/** How many in a hundred invocations are killed, and about how many requests one makes. */
const FATE: Record<FunctionName, { percent: number; requests: number }> = {
  plan: { percent: 10, requests: 9 },
  // A morning has several days.
  'daily-report': { percent: 25, requests: 70 },
  statement: { percent: 10, requests: 20 },
  // A batch has several merchants.
  'alert-check': { percent: 25, requests: 50 },
  'delivery-watch': { percent: 20, requests: 60 },
  sweep: { percent: 12, requests: 40 },
  'mail-events': { percent: 4, requests: 5 },
  // No day of a soak has a lake.
  lake: { percent: 0, requests: 1 },
};

/** Draws where an invocation dies. An invocation with fewer requests survives. `undefined`: it is not killed. */
export function drawDeath(functionName: FunctionName, random: Random): Death | undefined {
  const { percent, requests } = FATE[functionName];
  if (!random.chance(percent)) return undefined;
  return { request: 1 + random.below(requests), when: random.pick(['before', 'after']) };
}
