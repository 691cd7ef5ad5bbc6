import { randomUUID } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { opsNoticeKey } from '#domain/storage/keys.ts';
import type { NoticeClaims } from './notice-claims.ts';
import { createObject, putObject, readObject, replaceObject, StoredObjectError } from '#aws/s3-objects.ts';

/** Milliseconds. Shorter than the minute after which Lambda retries a failed event. */
const LEASE = 45_000;

const claimSchema = z.lazy(() => z.object({ about: z.string(), claimedAt: z.iso.datetime() }));

/** `NoticeClaims` over S3: one small object for each claim, beside the notice. */
export class S3NoticeClaims implements NoticeClaims {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  async claim(about: string, now: number): Promise<boolean> {
    const key = opsNoticeKey(`claim: ${about}`);
    // Without the random mark, two claims of the same millisecond would have the same bytes. Each run would
    // take the other's claim for its own.
    const mine = { about, claimedAt: new Date(now).toISOString(), writer: randomUUID() };
    if ((await createObject(this.#s3, this.#bucket, key, mine)) !== undefined) return true;
    try {
      const standing = await readObject(this.#s3, this.#bucket, key, claimSchema);
      if (standing === undefined) return false;
      // A time in the future counts as past too, otherwise the claim would never run out.
      const age = Math.abs(now - Date.parse(standing.value.claimedAt));
      if (age < LEASE) return false;
      return (await replaceObject(this.#s3, this.#bucket, key, mine, standing.version)) !== undefined;
    } catch (error) {
      if (!(error instanceof StoredObjectError)) throw error;
      await putObject(this.#s3, this.#bucket, key, mine);
      return true;
    }
  }
}
