import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { mailStopKey } from '#domain/storage/keys.ts';
import type { Suppression, SuppressionStore } from './suppression-list.ts';
import { createObject, readObject } from '#aws/s3-objects.ts';

/** A person may write one by hand, with a reason alone. */
const stopSchema = z.lazy(() => z.object({ reason: z.string(), messageId: z.string().optional() }));

/**
 * `SuppressionStore` over `mail-stops/` in the data bucket. An entry is written when an address bounces hard
 * or complains.
 */
export class S3SuppressionList implements SuppressionStore {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  async reason(addressHash: string): Promise<string | undefined> {
    return (await this.#read(addressHash))?.reason;
  }

  async stop(addressHash: string, stop: Suppression): Promise<boolean> {
    const created = await createObject(this.#s3, this.#bucket, mailStopKey(addressHash), stop);
    if (created !== undefined) return true;
    const standing = await this.#read(addressHash);
    return standing?.messageId === stop.messageId && standing.reason === stop.reason;
  }

  async #read(addressHash: string): Promise<z.infer<typeof stopSchema> | undefined> {
    return (await readObject(this.#s3, this.#bucket, mailStopKey(addressHash), stopSchema))?.value;
  }
}
