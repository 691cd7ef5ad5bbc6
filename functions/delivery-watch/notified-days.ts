import type { NotifiedDay } from './notified-day.ts';
import type { NotifiedRecords } from './notified-records.ts';

/** What `delivery-watch` has notified ops of, day by day. */
export type NotifiedDays = NotifiedRecords<NotifiedDay>;
