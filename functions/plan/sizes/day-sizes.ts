import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import { dataFileInKey, dataPrefix } from '#records/storage/keys.ts';
import type { Day } from '#records/day/business-day.ts';

/** Bytes, as stored, by merchant code. */
export type SizesOfDay = ReadonlyMap<string, number>;

/** Whether a code comes before another among the keys of a day. A slash follows each code there. */
function isBefore(code: string, other: string): boolean {
  return `${code}/` < `${other}/`;
}

/**
 * How large days are, from the data bucket. A list of the data files has their bytes: 10,000 merchants are ten requests, and
 * nothing is stored for this that could become old.
 */
export class DaySizes {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  /**
   * Merchants not in the answer have no files of that day.
   * @param codes more may be in the answer
   * @throws {StorageError} when S3 fails
   */
  async of(day: Day, codes: readonly string[]): Promise<SizesOfDay> {
    const [anyCode] = codes;
    const sizes = new Map<string, number>();
    if (anyCode === undefined) return sizes;
    const first = codes.reduce((least, code) => (isBefore(code, least) ? code : least), anyCode);
    const last = codes.reduce((most, code) => (isBefore(most, code) ? code : most), anyCode);
    const prefix = `${dataPrefix('invoices', 'json')}day=${day}/`;
    const pages = paginateListObjectsV2(
      { client: this.#s3 },
      { Bucket: this.#bucket, Prefix: prefix, StartAfter: `${prefix}merchant=${first}` },
    );
    for await (const { Contents = [] } of pages) {
      for (const { Key = '', Size = 0 } of Contents) {
        const merchantCode = dataFileInKey(Key)?.merchantCode;
        if (merchantCode === undefined) continue;
        if (isBefore(last, merchantCode)) return sizes;
        // Several pulls: corrections, and those that never sealed.
        sizes.set(merchantCode, Math.max(Size, sizes.get(merchantCode) ?? 0));
      }
    }
    return sizes;
  }
}
