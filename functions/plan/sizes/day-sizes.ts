import type { Day } from '#domain/day/business-day.ts';

/** Bytes, as stored, by merchant code. */
export type SizesOfDay = ReadonlyMap<string, number>;

export interface DaySizes {
  /**
   * Merchants not in the answer have no files of that day.
   * @param codes more may be in the answer
   * @throws {StorageError} when S3 fails
   */
  of(day: Day, codes: readonly string[]): Promise<SizesOfDay>;
}
