import type { Day } from '#domain/day/business-day.ts';
import type { ToldDay } from './told-day.ts';

/** What `delivery-watch` has told ops, day by day. */
export interface ToldDays {
  /** What was told of a day; nothing, where that is not known. */
  read(day: Day): Promise<ToldDay>;
  /** Changes what was told, on whatever another run has written meanwhile. */
  change(day: Day, change: (before: ToldDay) => ToldDay): Promise<void>;
}
