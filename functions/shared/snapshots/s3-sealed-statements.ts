import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Period } from '#domain/period/period.ts';
import { ownerPart, periodPrefix, statementInKey } from '#domain/storage/statement-keys.ts';
import type { SealedStatements } from './sealed-statements.ts';

/** `SealedStatements` over S3. A request lists a thousand revisions. */
export class S3SealedStatements implements SealedStatements {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  async newestRevisions(period: Period): Promise<Map<string, number>> {
    const newest = new Map<string, number>();
    const input = { Bucket: this.#bucket, Prefix: periodPrefix(period) };
    for await (const { Contents = [] } of paginateListObjectsV2({ client: this.#s3 }, input)) {
      for (const { Key = '' } of Contents) {
        const named = statementInKey(Key);
        if (named === undefined) continue;
        const owner = ownerPart(named.owner);
        newest.set(owner, Math.max(named.revision, newest.get(owner) ?? 0));
      }
    }
    return newest;
  }
}
