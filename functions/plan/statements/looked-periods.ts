import { daysReaching } from '#records/day/business-day.ts';
import { duePeriods, isIssuedNow } from '#records/period/due.ts';
import type { DuePeriod, StatementTimes } from '#records/period/due.ts';
import { memoized } from '../memoized.ts';

/** Milliseconds UTC. Daily looks are those after `since`. */
export interface LookTime {
  now: number;
  since: number;
}

export const LOOKS = {
  issue: 1,
  complete: 2,
  correct: 4,
  mail: 8,
} as const;

export function isLookedAt(looks: number): boolean {
  return (looks & (LOOKS.issue | LOOKS.complete | LOOKS.correct)) !== 0;
}

export interface LookedPeriod {
  due: DuePeriod;
  looks: number;
}

/**
 * Periods to look at now: from the due time until a day after the deadline at every tick, then once a day.
 */
export function lookedPeriods(times: StatementTimes, { now, since }: LookTime): LookedPeriod[] {
  const daily = new Map<string, boolean>();
  const isDailyLook = (at: string) =>
    memoized(daily, at, () => daysReaching(at, times.timeZone, since, now).length > 0);
  return duePeriods(times, now).flatMap((due) => {
    const isFresh = now < due.issueUntil;
    const isDaily = isDailyLook(due.at);
    if (!isFresh && !isDaily) return [];
    const looks =
      (isIssuedNow(due, now) ? LOOKS.issue : 0) |
      (isFresh ? LOOKS.complete : 0) |
      (isDaily && now < due.closedAt ? LOOKS.correct : 0);
    return [{ due, looks }];
  });
}
