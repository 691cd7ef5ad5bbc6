import { addDays } from '#domain/day/business-day.ts';
import { daysOf } from '#domain/period/period.ts';
import type { PeriodKind } from '#domain/period/period.ts';

function numbers(last: number): string[] {
  return Array.from({ length: last }, (_, index) => (index + 1).toString().padStart(2, '0'));
}

/** The days of a year with a 29 February. */
const LEAP_YEAR = daysOf({ from: '2028-01-01', to: '2028-12-31' });

const PARTS: Record<PeriodKind, readonly string[]> = {
  month: numbers(12),
  week: numbers(53).map((number) => `W${number}`),
  day: LEAP_YEAR.map((day) => day.slice(5)),
};

/** Everything that may follow the year in the name of a period: `11` of a month, `W47` of a week, `11-20` of a day. */
export function periodParts(kinds: readonly PeriodKind[]): string[] {
  return kinds.flatMap((kind) => PARTS[kind]);
}

/** The most days from the first day of a week to its Thursday, which names it. */
const TO_THE_THURSDAY = 6;

/** The year in the name of the first period with a day in the tables. A week may have the name of the year before. */
export function firstYear(firstDay: string): string {
  return addDays(firstDay, -TO_THE_THURSDAY).slice(0, 4);
}
