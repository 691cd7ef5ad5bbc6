import type { Period } from '#domain/period/period.ts';

/** Which statements and groups' pages are sealed, from listings alone. */
export interface SealedStatements {
  /** The newest revision of the period, by owner as `ownerPart` names it, such as `merchant=700001`. */
  newestRevisions(period: Period): Promise<Map<string, number>>;
}
