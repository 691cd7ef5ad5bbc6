import { addDays, instantOf } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { daysOf, periodDays } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { memoized } from '../memoized.ts';
import type { NewestRevisions } from './newest-revisions.ts';

export interface PeriodLook {
  sealed: NewestRevisions;
  ledgers: NewestRevisions;
  days: ReadonlyMap<Day, NewestRevisions>;
}

export interface LookedDays {
  /** The newest revision of each day, in order; 0 for a day that is not sealed. */
  revisions: number[];
  isComplete: boolean;
  /** Milliseconds UTC; 0 without a revision. */
  newestAt: number;
}

export class DayReader {
  readonly #ends = new Map<string, number>();
  readonly #periods = new Map<string, readonly Day[]>();

  daysOf(period: Period, { weekStart }: Pick<MerchantSettings, 'weekStart'>): readonly Day[] {
    return memoized(this.#periods, `${period} ${weekStart}`, () => daysOf(periodDays(period, weekStart)));
  }

  /**
   * A revision stored before the day was over in the merchant's zone shows the day so far, and is not the
   * day's.
   */
  sealedDay(
    day: Day,
    place: number,
    { timeZone }: Pick<MerchantSettings, 'timeZone'>,
    days: PeriodLook['days'],
  ): { revision: number; storedAt: number } | undefined {
    const newest = days.get(day)?.merchant(place);
    if (newest === undefined || newest.revision === 0) return undefined;
    return newest.storedAt < this.endOf(day, { timeZone }) ? undefined : newest;
  }

  /** When a day is over in the merchant's zone, milliseconds UTC. */
  endOf(day: Day, { timeZone }: Pick<MerchantSettings, 'timeZone'>): number {
    return memoized(this.#ends, `${day} ${timeZone}`, () => instantOf(addDays(day, 1), '00:00', timeZone));
  }

  merchant(
    of: readonly Day[],
    place: number,
    settings: Pick<MerchantSettings, 'timeZone' | 'reportFrom'>,
    days: PeriodLook['days'],
  ): LookedDays {
    const { reportFrom = '' } = settings;
    const looked: LookedDays = { revisions: [], isComplete: true, newestAt: 0 };
    for (const day of of) {
      const sealed = this.sealedDay(day, place, settings, days);
      looked.revisions.push(sealed?.revision ?? 0);
      if (sealed === undefined) looked.isComplete &&= day < reportFrom;
      else looked.newestAt = Math.max(looked.newestAt, sealed.storedAt);
    }
    return looked;
  }
}
