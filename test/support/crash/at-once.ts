import { setTimeout as wait } from 'node:timers/promises';
import { seededRandom } from '#sandbox/payments/day/random.ts';
import type { DaybookWorld } from '../world/daybook-world.ts';

/** How much faster the functions' clock runs than the machine's, waits included: the runs wait for one another. */
const FASTER = 10;

/** Speeds up the clock of the world's functions, by the same factor for all of them. */
export function quicken(world: DaybookWorld): void {
  const start = world.clock.now();
  const began = performance.now();
  Object.assign(world.clock, {
    now: () => Math.round(start + (performance.now() - began) * FASTER),
    sleep: (milliseconds: number) => wait(milliseconds / FASTER),
  });
}

/**
 * Delays each AWS call before or after it is performed. The delays differ by call and are the same for the same seed.
 */
export function delayCalls({ aws }: DaybookWorld, seed: number): void {
  const random = seededRandom(`delays ${seed}`);
  for (let call = 0; call < 2_000; call += 1) {
    const pause = () => wait(random.below(12));
    aws.faults.add({
      action: random.chance(50) ? { kind: 'call', before: pause } : { kind: 'call', after: pause },
    });
  }
}

/** Starts each run after a different short delay, and gives the results. */
export async function begunAtOnce<T>(
  seed: number,
  runs: readonly (() => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  const random = seededRandom(`starts ${seed}`);
  return Promise.allSettled(
    runs.map(async (run) => {
      await wait(random.below(30));
      return run();
    }),
  );
}

export function failures(results: readonly PromiseSettledResult<unknown>[]): string[] {
  return results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason instanceof Error ? result.reason.name : 'unknown'] : [],
  );
}
