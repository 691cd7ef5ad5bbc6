import * as z from 'zod';
import { addDays, dayAt, isDay } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import { daysUntilWeekday } from '../day/weekday.ts';
import type { Weekday } from '../day/weekday.ts';
import { DaybookError } from '../errors/daybook-error.ts';

/**
 * The name of a day (`2026-11-20`), a week (`2026-W47`) or a month (`2026-11`). A week has the name of the ISO week that its
 * Thursday is in. The day that it begins with does not change the name.
 */
export type Period = string;

/** How long a period is. */
export type PeriodKind = 'day' | 'week' | 'month';

/** The days of a period, `from` and `to` included. */
export interface PeriodDays {
  from: Day;
  to: Day;
}

/** A text is not a period, or names one that is not over yet. */
export class InvalidPeriodError extends DaybookError {
  override readonly name = 'InvalidPeriodError';
}

/** Without the first and the last year that a day may have: a period there would end, or follow one, beyond them. */
const MONTH = /^(?!0000|9999)(\d{4})-(0[1-9]|1[0-2])$/;
const WEEK = /^(?!0000|9999)(\d{4})-W(0[1-9]|[1-4]\d|5[0-3])$/;
/** The most characters of a text that an error shows. */
const LONGEST_SHOWN = 40;

/** The first Thursday of a year. The ISO week that it is in is the first of the year. */
function firstThursday(year: string): Day {
  const newYear = `${year}-01-01`;
  return addDays(newYear, daysUntilWeekday(newYear, 'thursday'));
}

/** The Thursday of an ISO week, `undefined` when the year has no such week. */
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

/** A period in a stored object. */
export const periodSchema = z.lazy(() =>
  z.string().refine((text) => periodKind(text) !== undefined, 'must be a day, a week or a month'),
);

/** The week in which a day is. @param weekStart the first day of the merchant's weeks */
export function weekOf(day: Day, weekStart: Weekday): Period {
  const first = addDays(day, -((7 - daysUntilWeekday(day, weekStart)) % 7));
  const thursday = addDays(first, daysUntilWeekday(first, 'thursday'));
  const year = thursday.slice(0, 4);
  const weeks = (Date.parse(thursday) - Date.parse(firstThursday(year))) / (7 * 24 * 60 * 60 * 1_000);
  return `${year}-W${(weeks + 1).toString().padStart(2, '0')}`;
}

/** The month in which a day is. */
export function monthOf(day: Day): Period {
  return day.slice(0, 7);
}

/**
 * The first and the last day of a period.
 *
 * @param weekStart the first day of the merchant's weeks
 * @throws {InvalidPeriodError} when the text is not a period
 */
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

/** A merchant's weeks that are sealed: a week itself, the one before and the one after. */
export interface SealedWeeks {
  own?: PeriodDays | undefined;
  before?: PeriodDays | undefined;
  after?: PeriodDays | undefined;
}

/** Whether the days may be those of a week of this name: its Thursday is inside, and those of other weeks are not. */
function mayBeWeek(week: Period, { from, to }: PeriodDays): boolean {
  const thursday = thursdayOf(week);
  if (thursday === undefined) return false;
  return from <= thursday && thursday <= to && addDays(thursday, -7) < from && to < addDays(thursday, 7);
}

/**
 * The first and the last day of a merchant's period, as long as `weekStart` may change. A sealed week keeps its days for ever.
 * Another one begins on the day after the sealed week before it, and ends on the day before the sealed week after it. Where
 * these are not sealed, `weekStart` says the day. So every day is in one week, and the first week after a change has 1 to 13
 * days.
 *
 * @param weekStart the first day of the merchant's weeks, as the registry has it now
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

/** Every day that a period of this name may have, whenever `weekStart` was changed: of a week 13 days around its Thursday. */
export function possibleDays(period: Period): Day[] {
  const thursday = thursdayOf(period);
  if (thursday === undefined) return daysOf(periodDays(period, 'thursday'));
  return daysOf({ from: addDays(thursday, -6), to: addDays(thursday, 6) });
}

/** The number of days of a week that is shorter or longer than seven days, `undefined` for every other period. */
export function unusualLength({ period, from, to }: PeriodDays & { period: Period }): number | undefined {
  if (periodKind(period) !== 'week' || to === addDays(from, 6)) return undefined;
  return daysOf({ from, to }).length;
}

/** Every day from the first to the last, both included. */
export function daysOf({ from, to }: PeriodDays): Day[] {
  const days: Day[] = [];
  // The last day of the calendar has no next one.
  for (let day = from; day < to; day = addDays(day, 1)) days.push(day);
  return from <= to ? [...days, to] : days;
}

/** The period of the same kind before this one. @throws {InvalidPeriodError} when the text is not a period */
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

/** The week after this one. @throws {InvalidPeriodError} when the text is not a period */
export function weekAfter(week: Period): Period {
  return weekOf(addDays(periodDays(week, 'monday').to, 1), 'monday');
}

/**
 * The same period of the year before: the same month, or the week with the same number.
 *
 * @returns `undefined` for a day, and for a week 53 when the year before has none
 */
export function samePeriodOfLastYear(period: Period): Period | undefined {
  const year = (Number(period.slice(0, 4)) - 1).toString().padStart(4, '0');
  const same = `${year}${period.slice(4)}`;
  return periodKind(period) !== 'day' && periodKind(same) === periodKind(period) ? same : undefined;
}

/** Where and when a period is asked for. */
export interface PeriodAsked {
  /** Milliseconds UTC. */
  now: number;
  /** IANA name. */
  timeZone: string;
  weekStart: Weekday;
}

/**
 * The name of the period that an event asks for: a name, or `last-month`, `last-week` or `yesterday` in the merchant's zone.
 *
 * @throws {InvalidPeriodError} when it is no period
 */
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

/**
 * The period that an event asks for, where a change of `weekStart` does not matter.
 *
 * @throws {InvalidPeriodError} when it is no period, or is not over yet in that zone
 */
export function resolvePeriod(wanted: string, asked: PeriodAsked): Period {
  const period = namedPeriod(wanted, asked);
  assertOver(period, periodDays(period, asked.weekStart), asked);
  return period;
}
