import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';

/** The data bucket. */
export const BUCKET = 'daybook-lake';
/** The last day of the lake, and the day on which the engine's clock stands. */
export const LAST_DAY: Day = addDays('2026-11-30', 0);
export const TODAY: Day = addDays(LAST_DAY, 1);
/** The first day of the tables. */
export const FIRST_DAY: Day = addDays(LAST_DAY, -365);
/** The registry's default: the days before the reported one that each run reads again. */
export const LOOKBACK_DAYS = [1, 3, 7];

/** The days of the lake, oldest first. */
export function daysUntil(last: Day, count: number): Day[] {
  return Array.from({ length: count }, (_, index) => addDays(last, index - count + 1));
}
