import { addDays, type Day } from '#records/day/business-day.ts';
import { daysOf } from '#records/period/period.ts';

/* Every measured process imports this file, so it imports little: code counts as memory. */

export const BUCKET = 'daybook-fleet';
export const REPORTS = 'daybook-fleet-reports';
/** Yesterday in Kuwait, where the merchants are: the report of a day with later ones looks for their pages. */
export const DAY = new Date(Date.now() + (3 - 24) * 3_600_000).toISOString().slice(0, 10);
export const INVOICE_TYPES = ['1', '0', '6', '7'];
export const MAX_CONCURRENCY = 16;
export const TICK = `${addDays(DAY, 1)}T03:00:00Z`;

/** This many days, the last one given, in their order. */
export function daysUntil(last: Day, count: number): Day[] {
  return daysOf({ from: addDays(last, 1 - count), to: last });
}

/** Days that one reading of a small merchant takes. The warm-up takes as many. */
export const DAYS_A_READING = 60;

let readings = 0;

export function nextDays(last: string): string[] {
  const first = readings * DAYS_A_READING;
  readings += 1;
  return daysUntil(last, 2 * DAYS_A_READING).slice(first, first + DAYS_A_READING);
}
