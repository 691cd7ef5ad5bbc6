import * as z from 'zod';
import { buildDependencies, createAnnounce } from '#watch/announce/create-announce.ts';
import { detailSchema, type EventType } from '#watch/announce/event-schemas.ts';
import type { Handler } from '#runtime/lambda-handler.ts';
import { isAnnounced } from '#lib/functions.ts';
import type { DaybookWorld } from '../world/daybook-world.ts';
import { partsOf } from '../world/world-clock.ts';

export function announceOf(world: DaybookWorld): Handler<{ events: number }> {
  return createAnnounce(partsOf(buildDependencies, world.clock));
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
