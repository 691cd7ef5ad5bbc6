import { addDays } from '#records/day/business-day.ts';

/** Days that one reading of a small merchant takes. The warm-up takes as many. */
export const DAYS_A_READING = 60;

/** This many days, the last one given, in their order. */
export function daysUntil(last: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => addDays(last, index + 1 - count));
}

/** The days of each reading in a process, one after the other. */
export class DaysInTurn {
  #readings = 0;

  next(last: string): string[] {
    this.#readings += 1;
    const first = (this.#readings - 1) * DAYS_A_READING;
    return daysUntil(last, 2 * DAYS_A_READING).slice(first, first + DAYS_A_READING);
  }
}
