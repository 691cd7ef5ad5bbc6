import { addDays, dayAt, instantOf } from '../day/business-day.ts';
import { WEEKDAYS } from '../day/weekday.ts';
import type { Weekday } from '../day/weekday.ts';
import type { DuePeriod, StatementTimes } from './due.ts';

/** `reportAt` is `HH:MM` in the zone (IANA name), on the day after. */
export interface MemberClock {
  timeZone: string;
  reportAt: string;
}

export type GroupPageTimes = Omit<StatementTimes, 'weekStart'>;

function daysAfterThursday(weekStart: Weekday): number {
  return (WEEKDAYS.indexOf(weekStart) + 2) % 7;
}

/** A group's week is over when it is over for each merchant. @param weekStarts of its merchants */
export function groupTimes(times: GroupPageTimes, weekStarts: Iterable<Weekday>): StatementTimes {
  let last: Weekday | undefined;
  for (const weekStart of weekStarts) {
    if (last === undefined || daysAfterThursday(weekStart) > daysAfterThursday(last)) last = weekStart;
  }
  return { ...times, weekStart: last ?? 'sunday' };
}

/** `at` is left out: each merchant has its own. */
export type DueGroupDay = Omit<DuePeriod, 'kind' | 'at' | 'isNewest' | 'issueUntil'> & { kind: 'day' };

/** No day is due later than so many days after it, in any zone. */
const LATEST = 3;

/**
 * Days of a group that are due, the newest first: when the last of its merchants' reports is.
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
