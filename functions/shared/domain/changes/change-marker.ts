import * as z from 'zod';
import type { Day } from '../day/business-day.ts';

/** What changes: the sealed revisions of a day (`days`), or the ledgers of its reports (`mail`). */
export const CHANGES_OF_A_DAY = ['days', 'mail'] as const;
export type ChangeOfADay = (typeof CHANGES_OF_A_DAY)[number];

/** The content of a marker (docs/interfaces.md, 6 Objects). */
export const changeMarkerSchema = z.lazy(() =>
  z.object({ day: z.string(), what: z.enum(CHANGES_OF_A_DAY), notedAt: z.iso.datetime() }),
);

/** Says that something of a day is about to change. It is written before the change. */
export interface ChangeMarker {
  day: Day;
  what: ChangeOfADay;
  /** The beginning of the marker's ten minutes, ISO 8601 in UTC. */
  notedAt: string;
}

/** The span of a marker, milliseconds. All changes of a day in one span have one marker. */
export const MARKER_SPAN = 10 * 60_000;

/**
 * How long after `notedAt` a change of the marker may still be written, milliseconds. The change follows in the
 * same run of a function, so it comes at most the span and the longest run (15 minutes) later. Five minutes are
 * for clocks that differ. A reader of the day must read it again until this time has passed.
 */
export const LATEST_CHANGE = MARKER_SPAN + (15 + 5) * 60_000;

/**
 * The marker of a change that begins now.
 *
 * @param now milliseconds UTC
 */
export function changeMarker(what: ChangeOfADay, day: Day, now: number): ChangeMarker {
  const began = Math.floor(now / MARKER_SPAN) * MARKER_SPAN;
  return { day, what, notedAt: new Date(began).toISOString() };
}
