import type { Day } from '#domain/day/business-day.ts';
import type { Period, PeriodDays } from '#domain/period/period.ts';
import type { PagePlace } from '#domain/storage/keys.ts';
import type { StoredRevision } from './newest-revisions.ts';

/** Pages of a listing, one after another. */
export type Listing = AsyncIterable<readonly StoredRevision[]>;

/** What `plan` reads of a sealed statement. */
export interface NamedDays extends PeriodDays {
  /** The days that it adds up. */
  days: readonly NamedDay[];
}

/** A day and its revision in a statement. */
export interface NamedDay {
  day: Day;
  revision: number;
}

/** What `plan` looks at to see which statements are due. */
export interface StatementListings {
  /** The sealed statements and groups' pages of a period. */
  statements(period: Period): Listing;
  /** The ledgers of their mails. */
  ledgers(period: Period): Listing;
  /** The sealed revisions of a day of all merchants. */
  days(day: Day): Listing;
  /**
   * The days of which a revision was sealed on a date (UTC), or was about to be. Each page may have a day that another one
   * has.
   */
  changedDays(sealedOn: Day): AsyncIterable<readonly Day[]>;
  /**
   * The days of a sealed statement, and which of them it adds up; `undefined` when it is gone.
   *
   * @throws {StoredObjectError} when it cannot be read
   */
  daysOfStatement(place: PagePlace): Promise<NamedDays | undefined>;
}
