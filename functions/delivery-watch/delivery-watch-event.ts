import * as z from 'zod';
import { CLOCKS_DIFFER } from '#domain/alerts/future-times.ts';
import { dayAt, isDay } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { InvalidEventError, readEvent } from '#domain/errors/invalid-event.ts';

/** The event of `delivery-watch` (docs/interfaces.md, 4.4 delivery-watch). */
export const eventSchema = z.lazy(() =>
  z.strictObject({
    day: z.string().refine(isDay, 'is not a date (YYYY-MM-DD)').optional(),
    now: z.iso.datetime({ offset: true }).optional(),
  }),
);

/** What the event asks for: the reports of one day, or of the newest due day of each merchant. */
export interface WatchQuestion {
  day: Day | undefined;
  /** Milliseconds UTC. */
  now: number;
  /** Whether that time is in the future. What is missing then is not yet missing. */
  isAhead: boolean;
}

/** The zone where a day begins first. */
const EARLIEST_ZONE = 'Etc/GMT-14';

/**
 * Reads the event of `delivery-watch` (docs/interfaces.md, 4.4 delivery-watch).
 *
 * @param clock gives the time, milliseconds UTC
 * @throws {InvalidEventError} that names the member that is wrong or unknown, or a day that has not begun
 * anywhere
 */
export function readWatchEvent(event: unknown, clock: () => number): WatchQuestion {
  const { day, now: asked } = readEvent(eventSchema, event ?? {});
  const now = asked === undefined ? clock() : Date.parse(asked);
  if (day !== undefined && day > dayAt(now, EARLIEST_ZONE)) {
    throw new InvalidEventError('day', 'has not begun anywhere yet');
  }
  return { day, now, isAhead: now > clock() + CLOCKS_DIFFER };
}
