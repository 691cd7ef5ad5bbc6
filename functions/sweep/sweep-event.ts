import * as z from 'zod';
import { readEvent } from '#domain/errors/invalid-event.ts';

export const eventSchema = z.lazy(() => z.strictObject({ now: z.iso.datetime({ offset: true }).optional() }));

/**
 * Reads the event of `sweep` (docs/interfaces.md, 4.5 sweep).
 *
 * @param clock what time it is, milliseconds UTC
 * @returns as of when to sweep, milliseconds UTC. Never later than the clock: what is young would be taken for old
 * @throws {InvalidEventError} naming the member that is wrong or not known
 */
export function readSweepEvent(event: unknown, clock: () => number): number {
  const { now } = readEvent(eventSchema, event ?? {});
  return now === undefined ? clock() : Math.min(Date.parse(now), clock());
}
