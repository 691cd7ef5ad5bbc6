import type { PagePlace } from '#domain/storage/keys.ts';

/** The beginnings of groups' pages. A page with all merchants of a large registry has ten megabytes. */
export interface GroupHeads {
  /**
   * Whether a sealed page is final.
   *
   * @throws {StoredObjectError} when it is not there, or is not what Daybook writes there
   */
  isFinal(place: PagePlace): Promise<boolean>;
}
