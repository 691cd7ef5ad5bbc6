import * as z from 'zod';
import type { Day } from '../day/business-day.ts';

export const CHANGES_OF_A_DAY = ['days', 'mail'] as const;
export type ChangeOfADay = (typeof CHANGES_OF_A_DAY)[number];

/** docs/interfaces.md, 6 Objects. `notedAt`: the beginning of the marker's ten minutes, ISO 8601 in UTC. */
export const changeMarkerSchema = z.lazy(() =>
  z.object({ day: z.string(), what: z.enum(CHANGES_OF_A_DAY), notedAt: z.iso.datetime() }),
);
/** Written before the change. */
export type ChangeMarker = z.infer<typeof changeMarkerSchema>;

/** Milliseconds. All changes of a day in one span have one marker. */
export const MARKER_SPAN = 10 * 60_000;

/**
 * Milliseconds after `notedAt` in which the change may come: the span, the longest run (15 minutes) and five
 * for clocks that differ. A reader of the day must read it again until then.
 */
export const LATEST_CHANGE = MARKER_SPAN + (15 + 5) * 60_000;

/** @param now milliseconds UTC */
export function changeMarker(what: ChangeOfADay, day: Day, now: number): ChangeMarker {
  const began = Math.floor(now / MARKER_SPAN) * MARKER_SPAN;
  return { day, what, notedAt: new Date(began).toISOString() };
}

/** Days. Readers need markers within days; this outlasts a long failure. Later, a reader takes every day as changed. */
export const MARKERS_KEPT_DAYS = 90;
