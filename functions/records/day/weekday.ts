import type { Day } from './business-day.ts';

/** The place of a name is its number: Sunday is 0. */
export const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** The weekday's number: Sunday is 0, Saturday 6. */
export function weekdayOf(day: Day): number {
  // A date without a time is midnight UTC, so the zone of the machine does not matter.
  return new Date(day).getUTCDay();
}

/** Days from `day` to the weekday, 0 to 6. */
export function daysUntilWeekday(day: Day, weekday: Weekday): number {
  return (WEEKDAYS.indexOf(weekday) - weekdayOf(day) + 7) % 7;
}
