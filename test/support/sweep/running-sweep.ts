import { buildDependencies } from '#watch/sweep/dependencies.ts';
import { createSweep } from '#watch/sweep/create-sweep.ts';
import type { SweepAnswer } from '#watch/sweep/create-sweep.ts';
import { readEnvironment } from '#registry/environment.ts';
import type { DaybookWorld } from '../world/daybook-world.ts';

/** Invokes `sweep` of a cold start, on the world's clock. */
export function sweep(world: DaybookWorld, event: Record<string, unknown> = {}): Promise<SweepAnswer> {
  const dependencies = buildDependencies(readEnvironment(process.env));
  return createSweep({ ...dependencies, clock: world.clock })(event);
}
