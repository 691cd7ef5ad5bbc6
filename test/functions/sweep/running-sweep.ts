import { createDependencies } from '../../../functions/sweep/dependencies.ts';
import { createSweep } from '../../../functions/sweep/create-sweep.ts';
import type { SweepAnswer } from '../../../functions/sweep/create-sweep.ts';
import { readEnvironment } from '../../../functions/shared/adapters/environment.ts';
import type { DaybookWorld } from '../../fakes/daybook-world.ts';

/**
 * Milliseconds from the machine's clock to the morning after the world's day. The sandbox stamps objects by the
 * machine's; listings are put forward by the same, so that a test means the same on every date and at every hour.
 */
export const TO_THE_MORNING_AFTER = Date.parse('2026-11-21T04:00:00Z') - Date.now();

/** Invokes `sweep` of a cold start, on the world's clock. */
export function sweep(world: DaybookWorld, event: Record<string, unknown> = {}): Promise<SweepAnswer> {
  const dependencies = createDependencies(readEnvironment(process.env));
  const { objects } = dependencies;
  return createSweep({
    ...dependencies,
    clock: world.clock,
    objects: {
      under: async (prefix) =>
        (await objects.under(prefix)).map(({ key, lastModified }) => ({
          key,
          lastModified: lastModified + TO_THE_MORNING_AFTER,
        })),
      foldersUnder: (prefix) => objects.foldersUnder(prefix),
      remove: (key) => objects.remove(key),
    },
  })(event);
}
