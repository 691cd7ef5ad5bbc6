import { Temporal } from 'temporal-polyfill';
import { addDays } from '#domain/day/business-day.ts';
import type { MerchantDay } from '../merchants.ts';

/** When the functions hold a report to be missing: `reportAt` and `DELIVERY_DEADLINE_MINUTES`, both left at their defaults. */
const DEADLINE = '07:00';

/** @param time `HH:MM` @returns ISO 8601, UTC */
export function instantAt(day: string, time: string, timeZone: string): string {
  return Temporal.PlainDate.from(day)
    .toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) })
    .toInstant()
    .toString();
}

/** The moment from which all of these days should have been reported. @returns ISO 8601, UTC */
export function deadlineOf(days: readonly MerchantDay[]): string {
  const deadlines = days.map(({ day, merchant }) => instantAt(addDays(day, 1), DEADLINE, merchant.timeZone));
  return deadlines.reduce((one, other) => (one > other ? one : other));
}
