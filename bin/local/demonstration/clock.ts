import { Temporal } from 'temporal-polyfill';
import { addDays } from '#records/day/business-day.ts';
import type { MerchantDay } from '../merchants.ts';

/** A report is missing after this time: `reportAt` plus `DEADLINES_DELIVERY_MINUTES`, both with their default values. */
const DEADLINE = '07:00';

/** @param time `HH:MM` @returns ISO 8601, UTC */
export function instantAt(day: string, time: string, timeZone: string): string {
  return Temporal.PlainDate.from(day)
    .toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) })
    .toInstant()
    .toString();
}

/** The moment after which a report is missing if it has not arrived. @returns ISO 8601, UTC */
export function deadlineOf(days: readonly MerchantDay[]): string {
  const deadlines = days.map(({ day, merchant }) => instantAt(addDays(day, 1), DEADLINE, merchant.timeZone));
  return deadlines.reduce((one, other) => (one > other ? one : other));
}
