import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { periodKind } from '#records/period/period.ts';
import type { Period, PeriodDays } from '#records/period/period.ts';
import type { Texts } from '../texts/texts.ts';
import { dayAndMonth, dayLine, monthAndYear, rangeOfDays, shortDay } from './day-formatter.ts';
import { isolated } from './outside-text.ts';

interface NamedPeriod extends PeriodDays {
  period: Period;
}

/**
 * `November 2026`, `Week of 15–21 November 2026 (2026-W47)`, or the day. People who begin their weeks on
 * another day know it by its name.
 */
export function periodLine({ period, from, to }: NamedPeriod, texts: Texts): string {
  switch (periodKind(period)) {
    case 'month':
      return monthAndYear(from, texts);
    case 'week':
      return texts.say('period.week', { days: rangeOfDays(from, to, texts, 'long'), week: isolated(period) });
    default:
      return dayLine(from, texts);
  }
}

/** For a subject: the year of a week or day is given only when it is not that of the mail. */
export function periodInSubject({ period, from, to }: NamedPeriod, mailed: Day, texts: Texts): string {
  const isOfYear = to.slice(0, 4) === mailed.slice(0, 4);
  switch (periodKind(period)) {
    case 'month':
      return monthAndYear(from, texts);
    case 'week':
      return texts.say('period.week.short', {
        days: rangeOfDays(from, to, texts, isOfYear ? 'bare' : 'short'),
      });
    default:
      return isOfYear ? dayAndMonth(from, texts) : shortDay(from, texts);
  }
}

/** A period as the head of a column or in a sentence: `November 2026`, `15–21 Nov 2026`, `20 Nov 2026`. */
export function periodName({ period, from, to }: NamedPeriod, texts: Texts): string {
  switch (periodKind(period)) {
    case 'month':
      return monthAndYear(from, texts);
    case 'week':
      return rangeOfDays(from, to, texts, 'short');
    default:
      return shortDay(from, texts);
  }
}

/** `14 Nov, 20–22 Nov`. @param days in order */
export function listedDays(days: readonly Day[], texts: Texts): string {
  const runs: PeriodDays[] = [];
  for (const day of days) {
    const last = runs.at(-1);
    if (last !== undefined && addDays(last.to, 1) === day) last.to = day;
    else runs.push({ from: day, to: day });
  }
  return runs
    .map(({ from, to }) => (from === to ? dayAndMonth(from, texts) : rangeOfDays(from, to, texts, 'bare')))
    .join(texts.say('comma'));
}
