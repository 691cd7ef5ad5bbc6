import { addDays, dayAt, instantOf, daysUntilWeekday, WEEKDAYS } from '../day/business-day.ts';
import type { Day, Weekday } from '../day/business-day.ts';
import { monthOf, periodBefore, periodDays, weekOf } from './period.ts';
import type { Period } from './period.ts';

export interface StatementTimes {
  /** IANA name. */
  timeZone: string;
  weekStart: Weekday;
  /** `at` is `HH:MM`. */
  weekly?: { on: Weekday; at: string } | null | undefined;
  /** 1 to 28. */
  monthly?: { onDay: number; at: string } | null | undefined;
  /** Milliseconds after the due time that a missing day is waited for. */
  waitFor: number;
  /** Milliseconds after the due time. */
  correctFor: number;
  /** Milliseconds after the end of the period. Left out: statements are never closed. */
  closeAfter?: number | undefined;
}

/** Milliseconds after its deadline that it is still issued although the next is due: the longest outage made up for. */
export const LATE = 24 * 60 * 60 * 1_000;

/** Milliseconds after its time that a statement which could not be closed is still looked at. */
const CLOSING = 31 * 24 * 60 * 60 * 1_000;

/** Milliseconds after its time that a closed statement is looked at, because a person may reopen it. */
export const REOPENING = 400 * 24 * 60 * 60 * 1_000;

/** When the statement of a period that ends on `to` is closed, milliseconds UTC. A reopened one stays open as long again. */
export function closesAt(
  { to, reopenedAt }: { to: Day; reopenedAt?: string | undefined },
  { timeZone, closeAfter }: Pick<StatementTimes, 'timeZone' | 'closeAfter'>,
): number | undefined {
  const end = instantOf(addDays(to, 1), '00:00', timeZone);
  const since = reopenedAt === undefined ? end : Math.max(end, Date.parse(reopenedAt));
  return closeAfter === undefined ? undefined : since + closeAfter;
}

/** Times are milliseconds UTC. */
export interface DuePeriod {
  period: Period;
  kind: 'week' | 'month';
  from: Day;
  to: Day;
  /** Local time of day of the issue and of the daily looks. */
  at: string;
  dueAt: number;
  /** From here on it is issued although days are missing. */
  deadline: number;
  /** Whether the next of its kind is not due yet. */
  isNewest: boolean;
  /** From here on a missing one is issued only if it is the newest. */
  issueUntil: number;
  /** From here on it is not corrected any more. */
  followedUntil: number;
}

/** Until when a statement follows its days: at least until it can be closed. Milliseconds UTC. */
export function lookedAtUntil(
  { to, dueAt, issueUntil }: Pick<DuePeriod, 'to' | 'dueAt' | 'issueUntil'>,
  times: Pick<StatementTimes, 'timeZone' | 'correctFor' | 'closeAfter'>,
): number {
  return Math.max(dueAt + times.correctFor, issueUntil, (closesAt({ to }, times) ?? 0) + CLOSING);
}

/**
 * Whether a missing one is issued by itself. Not an old one: who turns statements on wants the last one, not
 * six weeks of them.
 * @param now milliseconds UTC
 */
export function isIssuedNow(
  { isNewest, issueUntil }: Pick<DuePeriod, 'isNewest' | 'issueUntil'>,
  now: number,
) {
  return isNewest || now < issueUntil;
}

/** @param present the period of today */
function backwards(
  present: Period,
  kind: DuePeriod['kind'],
  at: string,
  dueDay: (to: Day) => Day,
  times: StatementTimes,
  now: number,
): DuePeriod[] {
  const { timeZone, weekStart, waitFor } = times;
  const due: DuePeriod[] = [];
  for (let period = periodBefore(present); ; period = periodBefore(period)) {
    const { from, to } = periodDays(period, weekStart);
    const dueAt = instantOf(dueDay(to), at, timeZone);
    const deadline = dueAt + waitFor;
    const issueUntil = deadline + LATE;
    const followedUntil = lookedAtUntil({ to, dueAt, issueUntil }, times);
    if (dueAt > now) continue;
    if (Math.max(followedUntil, (closesAt({ to }, times) ?? 0) + REOPENING) <= now && due.length > 0)
      return due;
    const isNewest = due.length === 0;
    due.push({ period, kind, from, to, at, dueAt, deadline, isNewest, issueUntil, followedUntil });
  }
}

/**
 * Periods that are due and still to be issued, corrected or closed, the newest first; the newest until the next is
 * due, even when nothing of it is to be done.
 * @param now milliseconds UTC
 */
export function duePeriods(times: StatementTimes, now: number): DuePeriod[] {
  const { timeZone, weekStart, weekly, monthly } = times;
  const today = dayAt(now, timeZone);
  const due: DuePeriod[] = [];
  if (weekly) {
    const dueDay = (to: Day) => addDays(to, 1 + daysUntilWeekday(addDays(to, 1), weekly.on));
    due.push(...backwards(weekOf(today, weekStart), 'week', weekly.at, dueDay, times, now));
  }
  if (monthly) {
    const dueDay = (to: Day) => addDays(to, monthly.onDay);
    due.push(...backwards(monthOf(today), 'month', monthly.at, dueDay, times, now));
  }
  return due;
}

/** `reportAt` is `HH:MM` in the zone (IANA name), on the day after. */
export interface MemberClock {
  timeZone: string;
  reportAt: string;
}

type GroupPageTimes = Omit<StatementTimes, 'weekStart'>;

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
type DueGroupDay = Omit<DuePeriod, 'kind' | 'at' | 'isNewest' | 'issueUntil'> & { kind: 'day' };

/** No day is due later than so many days after it, in any zone. */
const LATEST = 3;

/** Due days of a group, the newest first: when its last merchant's report is. `now`: milliseconds UTC. */
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
    const followedUntil = dueAt + open;
    if (dueAt > now || followedUntil <= now) continue;
    due.push({
      period: day,
      kind: 'day',
      from: day,
      to: day,
      dueAt,
      deadline: dueAt + waitFor,
      followedUntil,
    });
  }
  return due;
}
