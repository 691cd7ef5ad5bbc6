import { addDays, dayAt, instantOf } from '../day/business-day.ts';
import { WEEKDAYS } from '../day/weekday.ts';
import type { Weekday } from '../day/weekday.ts';
import type { DuePeriod, StatementTimes } from './due.ts';

/** When a merchant's report of a day is due: at `reportAt` (`HH:MM`) in the zone, on the day after. */
export interface MemberClock {
  /** IANA name. */
  timeZone: string;
  reportAt: string;
}

/** The times of a group's pages, as the registry has them. */
export type GroupPageTimes = Omit<StatementTimes, 'weekStart'>;

/** How many days after its Thursday a week ends that begins on this day: 0 for a Friday, 6 for a Thursday. */
function daysAfterThursday(weekStart: Weekday): number {
  return (WEEKDAYS.indexOf(weekStart) + 2) % 7;
}

/**
 * The times of a group's weeks and months. A week of the group is over when it is over for each of its merchants.
 *
 * @param weekStarts on which the weeks of its merchants begin
 */
export function groupTimes(times: GroupPageTimes, weekStarts: Iterable<Weekday>): StatementTimes {
  let last: Weekday | undefined;
  for (const weekStart of weekStarts) {
    if (last === undefined || daysAfterThursday(weekStart) > daysAfterThursday(last)) last = weekStart;
  }
  return { ...times, weekStart: last ?? 'sunday' };
}

/** A day of a group whose page is due. `at` is left out: each merchant has its own. */
export type DueGroupDay = Omit<DuePeriod, 'kind' | 'at' | 'isNewest' | 'issueUntil'> & { kind: 'day' };

/** No day is due later than so many days after it, in any zone. */
const LATEST = 3;

/**
 * The days of a group whose pages are due at a time and may still be issued or made again, the newest first. A day is due when
 * the last of its merchants' reports is due.
 *
 * @param clocks of the group's merchants
 * @param now milliseconds UTC
 */
export function dueGroupDays(
  { waitFor, correctFor }: Pick<StatementTimes, 'waitFor' | 'correctFor'>,
  clocks: readonly MemberClock[],
  now: number,
): DueGroupDay[] {
  if (clocks.length === 0) return [];
  const open = Math.max(waitFor, correctFor);
  const oldest = addDays(dayAt(now - open, 'UTC'), -LATEST);
  const due: DueGroupDay[] = [];
  for (let day = dayAt(now, 'UTC'); day >= oldest; day = addDays(day, -1)) {
    const next = addDays(day, 1);
    const dueAt = Math.max(...clocks.map(({ reportAt, timeZone }) => instantOf(next, reportAt, timeZone)));
    const closedAt = dueAt + open;
    if (dueAt > now || closedAt <= now) continue;
    due.push({ period: day, kind: 'day', from: day, to: day, dueAt, deadline: dueAt + waitFor, closedAt });
  }
  return due;
}
