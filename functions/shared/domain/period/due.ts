import { addDays, dayAt, instantOf } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import { daysUntilWeekday } from '../day/weekday.ts';
import type { Weekday } from '../day/weekday.ts';
import { monthOf, periodBefore, periodDays, weekOf } from './period.ts';
import type { Period } from './period.ts';

/** When statements of weeks and months are issued, and in which zone. */
export interface StatementTimes {
  /** IANA name. */
  timeZone: string;
  weekStart: Weekday;
  /** The weekday and the time (`HH:MM`) of the weekly statement. */
  weekly?: { on: Weekday; at: string } | null | undefined;
  /** The day of the month (1 to 28) and the time of the monthly statement. */
  monthly?: { onDay: number; at: string } | null | undefined;
  /** How long after the due time a day that is not sealed is waited for. Milliseconds. */
  waitFor: number;
  /** How long after the due time a statement is still corrected. Milliseconds. */
  correctFor: number;
}

/**
 * How long after its deadline a statement is still issued although the next one is due already. Milliseconds. It is the
 * longest outage that ticks make up for by themselves.
 */
export const LATE = 24 * 60 * 60 * 1_000;

/** A period whose statement is due, and until when it may wait and be corrected. Times are milliseconds UTC. */
export interface DuePeriod {
  period: Period;
  kind: 'week' | 'month';
  from: Day;
  to: Day;
  /** The local time of day at which it is issued, and at which it is looked at again each day. */
  at: string;
  dueAt: number;
  /** From here on it is issued although days are missing. */
  deadline: number;
  /** Whether the next statement of this kind is not due yet. */
  isNewest: boolean;
  /** From here on a statement that is still missing is issued only if it is the newest. */
  issueUntil: number;
  /** From here on it is not corrected any more. */
  closedAt: number;
}

/**
 * Whether a statement that is still missing is issued by itself. An old one is not: somebody who turns on statements in
 * November wants the last one, and not those of six weeks.
 *
 * @param now milliseconds UTC
 */
export function isIssuedNow(
  { isNewest, issueUntil }: Pick<DuePeriod, 'isNewest' | 'issueUntil'>,
  now: number,
) {
  return isNewest || now < issueUntil;
}

/** The periods of one kind from the newest whole one backwards: the newest that is due, and others that are not closed. */
function backwards(
  newest: Period,
  kind: DuePeriod['kind'],
  at: string,
  dueDay: (to: Day) => Day,
  { timeZone, weekStart, waitFor, correctFor }: StatementTimes,
  now: number,
): DuePeriod[] {
  const due: DuePeriod[] = [];
  for (let period = newest; ; period = periodBefore(period)) {
    const { from, to } = periodDays(period, weekStart);
    const dueAt = instantOf(dueDay(to), at, timeZone);
    const deadline = dueAt + waitFor;
    const issueUntil = deadline + LATE;
    const closedAt = Math.max(dueAt + correctFor, issueUntil);
    if (dueAt > now) continue;
    if (closedAt <= now && due.length > 0) return due;
    const isNewest = due.length === 0;
    due.push({ period, kind, from, to, at, dueAt, deadline, isNewest, issueUntil, closedAt });
  }
}

/**
 * The periods whose statements are due at a time and may still be issued or corrected, the newest first. The newest may
 * be issued until the next one is due, even when it is closed. The weekly statement covers the last whole week before its
 * weekday, the monthly one the month before its day.
 *
 * @param now milliseconds UTC
 */
export function duePeriods(times: StatementTimes, now: number): DuePeriod[] {
  const { timeZone, weekStart, weekly, monthly } = times;
  const today = dayAt(now, timeZone);
  const weeks = weekly
    ? backwards(
        periodBefore(weekOf(today, weekStart)),
        'week',
        weekly.at,
        (to) => addDays(to, 1 + daysUntilWeekday(addDays(to, 1), weekly.on)),
        times,
        now,
      )
    : [];
  const months = monthly
    ? backwards(
        periodBefore(monthOf(today)),
        'month',
        monthly.at,
        (to) => addDays(to, monthly.onDay),
        times,
        now,
      )
    : [];
  return [...weeks, ...months];
}
