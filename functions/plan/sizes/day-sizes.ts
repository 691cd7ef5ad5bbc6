import type { Day } from '#domain/day/business-day.ts';

/** What the merchants' invoices of a day came to, by merchant code. Bytes, as stored. */
export type SizesOfDay = ReadonlyMap<string, number>;

/** Reads how large days are. */
export interface DaySizes {
  /**
   * The merchants that are not in the answer have no files of that day.
   *
   * @param codes no others are wanted; more may be in the answer
   * @throws {StorageError} when S3 fails
   */
  of(day: Day, codes: readonly string[]): Promise<SizesOfDay>;
}
