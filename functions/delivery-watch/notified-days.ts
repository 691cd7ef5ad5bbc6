import type { Day } from '#domain/day/business-day.ts';
import type { NotifiedDay } from './notified-day.ts';

/** What `delivery-watch` has told ops, day by day. */
export interface NotifiedDays {
  /** What was told of a day; nothing, where that is not known. */
  read(day: Day): Promise<NotifiedDay>;
  /** Changes what was told, on whatever another run has written meanwhile. */
  change(day: Day, change: (before: NotifiedDay) => NotifiedDay): Promise<void>;
}
