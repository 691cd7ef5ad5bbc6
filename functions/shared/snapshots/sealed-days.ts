import type { Day } from '#domain/day/business-day.ts';

/** Which merchants' days are sealed, from listings alone. */
export interface SealedDays {
  /** The newest revision of the day, by merchant. */
  newestRevisions(day: Day): Promise<Map<string, number>>;
  /** The merchants that have a revision of the day. */
  merchants(day: Day): Promise<Set<string>>;
}
