import type { Day } from '#domain/day/business-day.ts';
import type { NotifiedDay } from './notified-day.ts';

/** What `delivery-watch` has notified ops of, day by day. */
export interface NotifiedDays {
  /** What ops were notified of for a day. An empty record when that is not known. */
  read(day: Day): Promise<NotifiedDay>;
  /** Changes the record, starting from what another run may have written meanwhile. */
  change(day: Day, change: (before: NotifiedDay) => NotifiedDay): Promise<void>;
}
