import type { Day } from './business-day.ts';

/** The days of the week, as the registry names them. The place of a name is its number: Sunday is 0. */
export const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
/** A day of the week. */
export type Weekday = (typeof WEEKDAYS)[number];

/** The number of a date's weekday: Sunday is 0, Saturday 6. */
export function weekdayOf(day: Day): number {
  // A date without a time is midnight UTC, so the zone of the machine does not matter.
  return new Date(day).getUTCDay();
}

/** How many days after `day` (0 to 6) the weekday comes for the first time. */
export function daysUntilWeekday(day: Day, weekday: Weekday): number {
  return (WEEKDAYS.indexOf(weekday) - weekdayOf(day) + 7) % 7;
}
