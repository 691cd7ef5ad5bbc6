import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { seededRandom } from '#sandbox/payments/day/random.ts';
import { LOOKBACK_DAYS } from './world.ts';

/** A revision that one daily run seals. */
export interface Page {
  /** The merchant's place in the fleet. */
  merchant: number;
  day: Day;
  revision: number;
}

/** What one daily run seals: the pages of its day, and corrections of the lookback days. */
export interface DailyRun {
  /** The reported day. The run is on the morning after it. */
  day: Day;
  pages: Page[];
}

/** How many of a hundred pages are corrected 1, 3 and 7 days later. Most changes come soon. */
const CORRECTED = [6, 3, 1];

/** The days that a run changes, newest first. */
export function changedDays({ pages }: DailyRun): Day[] {
  return [...new Set(pages.map(({ day }) => day))].toSorted().reverse();
}

/** The runs of these days. One page in ten gets a correction, on one of the lookback days. */
export function dailyRuns(days: readonly Day[], merchants: number, seed: string): DailyRun[] {
  const runs = new Map<Day, DailyRun>(days.map((day) => [day, { day, pages: [] }]));
  for (const day of days) {
    for (let merchant = 0; merchant < merchants; merchant += 1) {
      runs.get(day)?.pages.push({ merchant, day, revision: 1 });
      const place = seededRandom(`correction ${seed} ${day} ${merchant}`).below(100);
      const later = LOOKBACK_DAYS[CORRECTED.findIndex((_, index) => place < sumUntil(index))];
      if (later === undefined) continue;
      // A correction after the last run is not there yet.
      runs.get(addDays(day, later))?.pages.push({ merchant, day, revision: 2 });
    }
  }
  return [...runs.values()];
}

function sumUntil(index: number): number {
  return CORRECTED.slice(0, index + 1).reduce((sum, share) => sum + share, 0);
}
