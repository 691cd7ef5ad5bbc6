import * as z from 'zod';
import { createDeliveryWatch, type WatchAnswer } from '#watch/delivery-watch/create-delivery-watch.ts';
import { buildDependencies } from '#watch/delivery-watch/dependencies.ts';
import { BUCKET, DAY, type DaybookWorld } from '../world/daybook-world.ts';
import { partsOf } from '../world/world-clock.ts';

/** An hour after 06:00 in Kuwait on the day after the world's: the deadline of its report. */
export const DEADLINE = '2026-11-21T04:00:00.000Z';

/** Invokes `delivery-watch` of a cold start, at the deadline unless the event says otherwise. */
export function watch(world: DaybookWorld, event: Record<string, unknown> = {}): Promise<WatchAnswer> {
  return createDeliveryWatch(partsOf(buildDependencies, world.clock))({ now: DEADLINE, ...event });
}

/** What the answer says when no statement is due. */
export const NO_STATEMENTS: WatchAnswer['statements'] = {
  expected: 0,
  delivered: 0,
  missing: [],
  provisional: [],
  stoppedByReaders: [],
};

/** The answer when every expected report was received. */
export function allWell(expected: number): WatchAnswer {
  const nothing = { missing: [], unbalanced: [], held: [], stoppedByReaders: [] };
  return { expected, delivered: expected, ...nothing, statements: NO_STATEMENTS };
}

/** The answer when the first of two merchants has its report, and the second's is missing for that reason. */
export function otherMissing(reason: string, day = DAY): WatchAnswer {
  return { ...allWell(2), delivered: 1, missing: [{ merchantCode: '700002', day, reason }] };
}

/** Removes a merchant from the registry as it stands. */
const registrySchema = z.looseObject({ merchants: z.array(z.looseObject({ merchantCode: z.string() })) });

export async function removeFromRegistry(world: DaybookWorld, merchantCode: string): Promise<void> {
  const key = 'config/merchants.json';
  const registry = registrySchema.parse(JSON.parse(await world.text(key)));
  const merchants = registry.merchants.filter((entry) => entry.merchantCode !== merchantCode);
  await world.aws.s3.write(BUCKET, key, JSON.stringify({ ...registry, merchants }));
}
