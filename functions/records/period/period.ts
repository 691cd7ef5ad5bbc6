import * as z from 'zod';
import { addDays, dayAt, isDay, daysUntilWeekday } from '../day/business-day.ts';
import type { Day, Weekday } from '../day/business-day.ts';
import { DaybookError } from '../errors/daybook-error.ts';

/** A day (`2026-11-20`), month (`2026-11`) or week (`2026-W47`: the ISO week of its Thursday, whenever it begins). */
export type Period = string;

export type PeriodKind = 'day' | 'week' | 'month';

/** Both are included. */
export interface PeriodDays {
  from: Day;
  to: Day;
}

/** A text is not a period, or names one that is not over yet. */
export class InvalidPeriodError extends DaybookError {
  override readonly name = 'InvalidPeriodError';
}

const MONTH = /^(?!0000|9999)(\d{4})-(0[1-9]|1[0-2])$/;
const WEEK = /^(?!0000|9999)(\d{4})-W(0[1-9]|[1-4]\d|5[0-3])$/;
const LONGEST_SHOWN = 40;

function firstThursday(year: string): Day {
  const newYear = `${year}-01-01`;
  return addDays(newYear, daysUntilWeekday(newYear, 'thursday'));
}

function thursdayOf(week: Period): Day | undefined {
  const [, year = '', number = ''] = WEEK.exec(week) ?? [];
  if (year === '') return undefined;
  const thursday = addDays(firstThursday(year), 7 * (Number(number) - 1));
  return thursday.startsWith(`${year}-`) ? thursday : undefined;
}

/** The kind of a period, `undefined` for any other text. */
export function periodKind(text: string): PeriodKind | undefined {
  if (MONTH.test(text)) return 'month';
  if (WEEK.test(text)) return thursdayOf(text) === undefined ? undefined : 'week';
  return isDay(text) ? 'day' : undefined;
}

export const periodSchema = z.lazy(() =>
  z.string().refine((text) => periodKind(text) !== undefined, 'must be a day, a week or a month'),
);

/** The week of a day. @param weekStart the first day of the merchant's weeks */
export function weekOf(day: Day, weekStart: Weekday): Period {
  const first = addDays(day, -((7 - daysUntilWeekday(day, weekStart)) % 7));
  const thursday = addDays(first, daysUntilWeekday(first, 'thursday'));
  const year = thursday.slice(0, 4);
  const weeks = (Date.parse(thursday) - Date.parse(firstThursday(year))) / (7 * 24 * 60 * 60 * 1_000);
  return `${year}-W${(weeks + 1).toString().padStart(2, '0')}`;
}

export function monthOf(day: Day): Period {
  return day.slice(0, 7);
}

/** First and last day. @throws {InvalidPeriodError} when the text is not a period */
export function periodDays(period: Period, weekStart: Weekday): PeriodDays {
  switch (periodKind(period)) {
    case 'day':
      return { from: period, to: period };
    case 'month': {
      const from = `${period}-01`;
      return { from, to: addDays(`${monthOf(addDays(from, 31))}-01`, -1) };
    }
    case 'week': {
      const thursday = thursdayOf(period) ?? '';
      const from = addDays(thursday, -((7 - daysUntilWeekday(thursday, weekStart)) % 7));
      return { from, to: addDays(from, 6) };
    }
    case undefined:
      throw new InvalidPeriodError(
        `period must be a month (2026-11), a week (2026-W47), "last-month" or "last-week", or for a group a day or "yesterday", given ${JSON.stringify(period.slice(0, LONGEST_SHOWN))}${WEEK.test(period) ? ': the year has no such week' : ''}`,
      );
  }
}

interface SealedWeeks {
  own?: PeriodDays | undefined;
  before?: PeriodDays | undefined;
  after?: PeriodDays | undefined;
}

/** Its Thursday is inside, and those of other weeks are not. */
function mayBeWeek(week: Period, { from, to }: PeriodDays): boolean {
  const thursday = thursdayOf(week);
  if (thursday === undefined) return false;
  return from <= thursday && thursday <= to && addDays(thursday, -7) < from && to < addDays(thursday, 7);
}

/**
 * The days of a period, as long as `weekStart` may change: a sealed week keeps its days, others fit between
 * sealed neighbours, else `weekStart` decides. So every day is in one week, and the first after a change has
 * 1 to 13 days.
 * @param weekStart as the registry has it now
 * @throws {InvalidPeriodError} when the text is not a period
 */
export function merchantDays(
  period: Period,
  weekStart: Weekday,
  { own, before, after }: SealedWeeks,
): PeriodDays {
  const usual = periodDays(period, weekStart);
  if (periodKind(period) !== 'week') return usual;
  if (own !== undefined && mayBeWeek(period, own)) return { from: own.from, to: own.to };
  const from = before && mayBeWeek(periodBefore(period), before) ? addDays(before.to, 1) : usual.from;
  const to = after && mayBeWeek(weekAfter(period), after) ? addDays(after.from, -1) : usual.to;
  return { from, to };
}

/** Every day that it may have, whenever `weekStart` was changed: of a week 13 days around its Thursday. */
export function possibleDays(period: Period): Day[] {
  const thursday = thursdayOf(period);
  if (thursday === undefined) return daysOf(periodDays(period, 'thursday'));
  return daysOf({ from: addDays(thursday, -6), to: addDays(thursday, 6) });
}

/** Days of a week that has not seven, `undefined` for every other period. */
export function unusualLength({ period, from, to }: PeriodDays & { period: Period }): number | undefined {
  if (periodKind(period) !== 'week' || to === addDays(from, 6)) return undefined;
  return daysOf({ from, to }).length;
}

export function daysOf({ from, to }: PeriodDays): Day[] {
  const days: Day[] = [];
  // The last day of the calendar has no next one.
  for (let day = from; day < to; day = addDays(day, 1)) days.push(day);
  return from <= to ? [...days, to] : days;
}

/** @throws {InvalidPeriodError} when the text is not a period */
export function periodBefore(period: Period): Period {
  const { from } = periodDays(period, 'monday');
  const last = addDays(from, -1);
  switch (periodKind(period)) {
    case 'month':
      return monthOf(last);
    case 'week':
      return weekOf(last, 'monday');
    default:
      return last;
  }
}

/** @throws {InvalidPeriodError} when the text is not a period */
export function weekAfter(week: Period): Period {
  return weekOf(addDays(periodDays(week, 'monday').to, 1), 'monday');
}

/** `undefined` for a day, and for a week 53 when the year before has none. */
export function samePeriodOfLastYear(period: Period): Period | undefined {
  const year = (Number(period.slice(0, 4)) - 1).toString().padStart(4, '0');
  const same = `${year}${period.slice(4)}`;
  return periodKind(period) !== 'day' && periodKind(same) === periodKind(period) ? same : undefined;
}

interface PeriodAsked {
  /** Milliseconds UTC. */
  now: number;
  timeZone: string;
  weekStart: Weekday;
}

/** @param wanted a name, `last-month`, `last-week` or `yesterday` in the zone @throws {InvalidPeriodError} */
export function namedPeriod(wanted: string, { now, timeZone, weekStart }: PeriodAsked): Period {
  const today = dayAt(now, timeZone);
  if (wanted === 'yesterday') return addDays(today, -1);
  if (wanted === 'last-month') return periodBefore(monthOf(today));
  if (wanted === 'last-week') return periodBefore(weekOf(today, weekStart));
  periodDays(wanted, weekStart);
  return wanted;
}

/** @throws {InvalidPeriodError} when the period is not over yet in that zone */
export function assertOver(
  period: Period,
  { to }: PeriodDays,
  { now, timeZone }: Pick<PeriodAsked, 'now' | 'timeZone'>,
): void {
  const today = dayAt(now, timeZone);
  if (to < today) return;
  throw new InvalidPeriodError(
    `period ${period} is not over: its last day is ${to}, and in ${timeZone} it is ${today}`,
  );
}

/** Where `weekStart` does not matter. @throws {InvalidPeriodError} for no period, or one not over in that zone */
export function resolvePeriod(wanted: string, asked: PeriodAsked): Period {
  const period = namedPeriod(wanted, asked);
  assertOver(period, periodDays(period, asked.weekStart), asked);
  return period;
}
