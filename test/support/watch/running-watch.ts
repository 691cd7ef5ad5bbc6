import * as z from 'zod';
import { createDeliveryWatch, type WatchAnswer } from '#watch/delivery-watch/create-delivery-watch.ts';
import { buildDependencies as watchDependencies } from '#watch/delivery-watch/dependencies.ts';
import { buildDependencies as sweepDependencies } from '#watch/sweep/dependencies.ts';
import { createSweep, type SweepAnswer } from '#watch/sweep/create-sweep.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { addressHash } from '#records/storage/keys.ts';
import {
  buildDependencies as announceDependencies,
  createAnnounce,
} from '#watch/announce/create-announce.ts';
import { detailSchema, type EventType } from '#watch/announce/event-schemas.ts';
import type { Handler } from '#runtime/lambda-handler.ts';
import { isAnnounced } from '#lib/functions.ts';
import { BUCKET, DAY, type DaybookWorld, partsOf } from '../world/daybook-world.ts';

/** An hour after 06:00 in Kuwait on the day after the world's: the deadline of its report. */
export const DEADLINE = '2026-11-21T04:00:00.000Z';

/** Invokes `delivery-watch` of a cold start, at the deadline unless the event says otherwise. */
export function watch(world: DaybookWorld, event: Record<string, unknown> = {}): Promise<WatchAnswer> {
  return createDeliveryWatch(partsOf(watchDependencies, world.clock))({ now: DEADLINE, ...event });
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

export function sweep(world: DaybookWorld, event: Record<string, unknown> = {}): Promise<SweepAnswer> {
  return createSweep(partsOf(sweepDependencies, world.clock))(event);
}

/** The ledger of a run that died while it mailed these addresses. */
export async function leaveDead(
  world: DaybookWorld,
  key: string,
  kind: Ledger['kind'],
  to: readonly string[],
): Promise<void> {
  const at = new Date(world.clock.now()).toISOString();
  const begun = { status: 'intended', intendedAt: at, until: at, writer: 'w', round: 1 };
  const entry = { status: 'intended', messageId: null, at };
  const recipients = to.map((address) => ({ ...entry, to: addressHash(address) }));
  await world.aws.s3.write(BUCKET, key, JSON.stringify({ key, kind, figures: null, ...begun, recipients }));
}

export function announceOf(world: DaybookWorld): Handler<{ events: number }> {
  return createAnnounce(partsOf(announceDependencies, world.clock));
}

/** Collects S3's events of objects that say something, from now on, in their order. */
export function objectEvents(world: DaybookWorld): object[] {
  const events: object[] = [];
  world.aws.bus.onObject = (event, key) => {
    if (isAnnounced(key)) events.push(event);
  };
  return events;
}

/** S3's event of an object that is there, as a person writes it. */
export function eventOf(key: string): object {
  return { source: 'aws.s3', detail: { object: { key } } };
}

const typeSchema = z.custom<EventType>((type) => typeof type === 'string');

/** What was put on the bus, each checked against its schema: it has no member that the schema does not name. */
export function toldBy(world: DaybookWorld) {
  return world.aws.bus.events.map(({ source, detailType, detail }) => {
    const type = typeSchema.parse(detailType);
    return { source, type, ...z.strictObject(detailSchema(type).shape).parse(detail) };
  });
}
