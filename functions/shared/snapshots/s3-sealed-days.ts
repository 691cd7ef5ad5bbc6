import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Day } from '#domain/day/business-day.ts';
import { dayPrefix, manifestInKey, merchantInKey } from '#domain/storage/keys.ts';
import type { SealedDays } from './sealed-days.ts';

/** `SealedDays` over S3. A request lists a thousand merchants. */
export class S3SealedDays implements SealedDays {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  async newestRevisions(day: Day): Promise<Map<string, number>> {
    const newest = new Map<string, number>();
    for await (const { Contents = [] } of this.#pages(day)) {
      for (const { Key = '' } of Contents) {
        const named = manifestInKey(Key);
        if (named === undefined) continue;
        const { merchantCode, revision } = named;
        newest.set(merchantCode, Math.max(revision, newest.get(merchantCode) ?? 0));
      }
    }
    return newest;
  }

  async merchants(day: Day): Promise<Set<string>> {
    const merchants = new Set<string>();
    for await (const { CommonPrefixes = [] } of this.#pages(day, '/')) {
      for (const { Prefix = '' } of CommonPrefixes) {
        const merchantCode = merchantInKey(Prefix);
        if (merchantCode !== undefined) merchants.add(merchantCode);
      }
    }
    return merchants;
  }

  #pages(day: Day, delimiter?: string) {
    const input = { Bucket: this.#bucket, Prefix: dayPrefix(day), Delimiter: delimiter };
    return paginateListObjectsV2({ client: this.#s3 }, input);
  }
}
