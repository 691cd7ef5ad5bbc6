import { GetObjectCommand, S3ServiceException } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { boundedText } from '#records/storage/object-bounds.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { parseObject, StoredObjectError } from '#runtime/s3-objects.ts';
import { StorageError } from '#records/errors/storage-error.ts';
import { periodSchema } from '#records/period/period.ts';
import { pageKey } from '#records/storage/keys.ts';
import type { PagePlace } from '#records/storage/keys.ts';

/** Bytes: everything before the merchants has less than five hundred. */
const HEAD = 4_096;
/** A page's merchants come after its other short members. */
const MERCHANTS = ',"merchants":[';

const headSchema = z.lazy(() =>
  z.object({ group: z.string(), period: periodSchema, revision: z.int(), final: z.boolean() }),
);

/** Not there, or without a first byte. */
function isNoPage(error: unknown): boolean {
  if (error instanceof StorageError) return error.status === 416;
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;
}

export class GroupHeads extends BucketStore {
  /**
   * Reads the first bytes of the page only: large ones have ten megabytes.
   * @throws {StoredObjectError} when it is not there, or is not what Daybook writes there
   */
  async isFinal({ owner, period, revision }: PagePlace): Promise<boolean> {
    const key = pageKey({ owner, period, revision });
    const text = await this.#start(key);
    const end = text.indexOf(MERCHANTS);
    if (end < 0) throw new StoredObjectError(key, 'is not what Daybook writes there: merchants');
    const head = parseObject(key, `${text.slice(0, end)}}`, headSchema);
    if (head.group !== owner.group || head.period !== period || head.revision !== revision) {
      throw new StoredObjectError(key, 'belongs to another key');
    }
    return head.final;
  }

  async #start(key: string): Promise<string> {
    const range = { Bucket: this.bucket, Key: key, Range: `bytes=0-${HEAD - 1}` };
    try {
      const { Body } = await this.s3.send(new GetObjectCommand(range));
      return (await boundedText(Body, key, HEAD)) ?? '';
    } catch (error) {
      if (isNoPage(error)) throw new StoredObjectError(key, 'is not there, or empty');
      throw error;
    }
  }
}
