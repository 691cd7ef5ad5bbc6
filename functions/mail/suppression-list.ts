import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { suppressionKey } from '#records/storage/keys.ts';
import { createObject, readObject } from '#runtime/s3-objects.ts';

interface Suppression {
  reason: string;
  /** ISO 8601, UTC. */
  at: string;
  messageId: string;
}

/** A stop as it is stored. A person may write one by hand, with a reason alone. */
export const suppressionSchema = z.lazy(() =>
  z.object({
    reason: z.string(),
    /** When it was reported (ISO 8601, UTC). */
    at: z.string().optional(),
    messageId: z.string().optional(),
  }),
);

/** Addresses that get no more mail: `mail-stops/` in the data bucket has one object for each that bounced hard or complained. */
export class SuppressionList {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  async reason(addressHash: string): Promise<string | undefined> {
    return (await this.#read(addressHash))?.reason;
  }

  /**
   * Suppresses the address unless it is suppressed already.
   *
   * @returns whether the stored suppression is this one
   */
  async suppress(addressHash: string, suppression: Suppression): Promise<boolean> {
    const created = await createObject(this.#s3, this.#bucket, suppressionKey(addressHash), suppression);
    if (created !== undefined) return true;
    const standing = await this.#read(addressHash);
    return standing?.messageId === suppression.messageId && standing.reason === suppression.reason;
  }

  async #read(addressHash: string): Promise<z.infer<typeof suppressionSchema> | undefined> {
    return (await readObject(this.#s3, this.#bucket, suppressionKey(addressHash), suppressionSchema))?.value;
  }
}
