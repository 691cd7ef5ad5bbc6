import type { Day } from '#domain/day/business-day.ts';
import type { Period, PeriodDays } from '#domain/period/period.ts';
import type { PagePlace } from '#domain/storage/keys.ts';
import type { StoredRevision } from './newest-revisions.ts';

export type Listing = AsyncIterable<readonly StoredRevision[]>;

export interface NamedDays extends PeriodDays {
  days: readonly NamedDay[];
}

export interface NamedDay {
  day: Day;
  revision: number;
}

export interface StatementListings {
  statements(period: Period): Listing;
  ledgers(period: Period): Listing;
  /** The sealed revisions of a day of all merchants. */
  days(day: Day): Listing;
  /** Days of which a revision was, or was about to be, sealed on a date (UTC). A day may come again. */
  changedDays(sealedOn: Day): AsyncIterable<readonly Day[]>;
  /** `undefined` when it is gone. @throws {StoredObjectError} when it cannot be read */
  daysOfStatement(place: PagePlace): Promise<NamedDays | undefined>;
}
