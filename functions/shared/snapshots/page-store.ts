import type { Period } from '#domain/period/period.ts';
import type { StatementOwner, StatementPlace } from '#domain/storage/statement-keys.ts';

/** Sealed statements, or sealed pages of groups. */
export interface PageStore<Page> {
  /** The newest sealed revision, `undefined` when there is none. */
  newest(owner: StatementOwner, period: Period): Promise<Page | undefined>;
  /** One sealed revision, `undefined` when the number is free. */
  revision(place: StatementPlace): Promise<Page | undefined>;
  /** The newest revision of each merchant's page of the period, by merchant, from listings alone. */
  merchantRevisions(period: Period): Promise<Map<string, number>>;
  /** Writes the page under its number if that is free. @returns the page that is stored there now */
  seal(place: StatementPlace, page: Page): Promise<Page>;
}
