import { setTimeout as wait } from 'node:timers/promises';
import { seededRandom } from '#sandbox/payments/day/random.ts';
import type { DaybookWorld } from '../world/daybook-world.ts';

/** How much faster than the machine's the functions' clock goes, waiting and all: runs wait for one another. */
const FASTER = 10;

/** Lets the time of the world's functions pass quickly, and evenly for all of them. */
export function quicken(world: DaybookWorld): void {
  const start = world.clock.now();
  const began = performance.now();
  Object.assign(world.clock, {
    now: () => Math.round(start + (performance.now() - began) * FASTER),
    sleep: (milliseconds: number) => wait(milliseconds / FASTER),
  });
}

/** AWS takes a while for each call, before it is performed or after: another while for each, the same for each seed. */
export function delayCalls({ aws }: DaybookWorld, seed: number): void {
  const random = seededRandom(`delays ${seed}`);
  for (let call = 0; call < 2_000; call += 1) {
    const pause = () => wait(random.below(12));
    aws.faults.add({
      action: random.chance(50) ? { kind: 'call', before: pause } : { kind: 'call', after: pause },
    });
  }
}

/** Starts each of these after another short while, and answers what became of them. */
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

/** The names of the errors that runs ended with. */
export function failures(results: readonly PromiseSettledResult<unknown>[]): string[] {
  return results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason instanceof Error ? result.reason.name : 'unknown'] : [],
  );
}
