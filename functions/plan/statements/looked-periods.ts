import { daysReaching } from '#domain/day/business-day.ts';
import { duePeriods, isIssuedNow } from '#domain/period/due.ts';
import type { DuePeriod, StatementTimes } from '#domain/period/due.ts';
import { memoized } from '../memoized.ts';

/** The time of a look, and the time before it in which the daily look of a statement is made. Milliseconds UTC. */
export interface LookTime {
  now: number;
  since: number;
}

/** What a look does about the statements of a merchant or group. The numbers are bits. */
export const LOOKS = {
  /** A statement that is missing is issued when its days are there, or its deadline is over. */
  issue: 1,
  /** A statement that lacked days is made again as soon as all are there. */
  complete: 2,
  /** A statement whose days have changed is made again. */
  correct: 4,
  /** It is mailed. */
  mail: 8,
} as const;

/** Whether the statement is looked at at all. */
export function isLookedAt(looks: number): boolean {
  return (looks & (LOOKS.issue | LOOKS.complete | LOOKS.correct)) !== 0;
}

/** A due period, and what a look does about its statement. */
export interface LookedPeriod {
  due: DuePeriod;
  looks: number;
}

/**
 * The periods whose statements are looked at now. From its due time until a day after its deadline a statement is looked at
 * at every tick: it may have to be issued. After that, once a day after its time of day.
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
