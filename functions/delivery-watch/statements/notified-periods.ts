import type { Period } from '#domain/period/period.ts';
import type { NotifiedRecords } from '../notified-records.ts';
import type { NotifiedPeriod } from './notified-period.ts';

/** What `delivery-watch` has notified ops of, period by period. */
export interface NotifiedPeriods extends NotifiedRecords<NotifiedPeriod> {
  /** The periods that have a record. */
  periods(): Promise<Set<Period>>;
}
