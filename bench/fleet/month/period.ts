import type { Day } from '#domain/day/business-day.ts';
import { daysOf, periodBefore, periodDays, samePeriodOfLastYear } from '#domain/period/period.ts';
import type { Period } from '#domain/period/period.ts';

/** A month of thirty days that is over on any date that the bench runs on. */
export const MONTH = '2026-09';
export const MONTH_BEFORE = periodBefore(MONTH);
export const LAST_YEAR = samePeriodOfLastYear(MONTH) ?? MONTH_BEFORE;

/** The days of a period, in order. */
export function daysOfPeriod(period: Period): Day[] {
  return daysOf(periodDays(period, 'sunday'));
}

export const MONTH_DAYS = daysOfPeriod(MONTH);
/** The day of a group's daily page: the last one of the month. */
export const GROUP_DAY = MONTH_DAYS.at(-1) ?? MONTH;
/** When the statements are due: the first of the next month at nine in Kuwait. */
export const MONTH_TICK = '2026-10-01T06:00:00Z';
/** The group of all merchants. */
export const GROUP = 'all-shops';
