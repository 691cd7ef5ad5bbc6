import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { mailStopKey } from '../core/keys.ts';
import type { MailStops } from '../ports.ts';
import { readObject } from './s3-objects.ts';

const stopSchema = z.object({ reason: z.string() });

/** The stops under `mail-stops/`, written when an address bounces hard or complains. */
export class S3MailStops implements MailStops {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  async reason(addressHash: string): Promise<string | undefined> {
    return (await readObject(this.#s3, this.#bucket, mailStopKey(addressHash), stopSchema))?.value.reason;
  }
}
