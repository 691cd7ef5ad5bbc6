import * as z from 'zod';
import { readEvent } from '#domain/errors/invalid-event.ts';

/** The event of `sweep`. */
export const eventSchema = z.lazy(() => z.strictObject({ now: z.iso.datetime({ offset: true }).optional() }));

/**
 * Reads the event of `sweep` (docs/interfaces.md, 4.5 sweep).
 *
 * @param clock gives the time, milliseconds UTC
 * @returns the time for which to sweep, milliseconds UTC. Never later than the clock: otherwise young files
 * would count as old
 * @throws {InvalidEventError} that names the member that is wrong or unknown
 */
export function readSweepEvent(event: unknown, clock: () => number): number {
  const { now } = readEvent(eventSchema, event ?? {});
  return now === undefined ? clock() : Math.min(Date.parse(now), clock());
}
