import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { _Object, S3Client } from '@aws-sdk/client-s3';
import type * as z from 'zod';
import { createObject, putObject, readObject, replaceObject } from './s3-objects.ts';

/** What every store of the data bucket does. Its methods throw as those of `s3-objects.ts`. */
export class BucketStore {
  protected readonly s3: S3Client;
  protected readonly bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.s3 = s3;
    this.bucket = bucket;
  }

  protected readObject<T>(key: string, schema: z.ZodType<T>) {
    return readObject(this.s3, this.bucket, key, schema);
  }

  protected putObject(key: string, value: unknown): Promise<void> {
    return putObject(this.s3, this.bucket, key, value);
  }

  protected createObject(key: string, value: unknown): Promise<string | undefined> {
    return createObject(this.s3, this.bucket, key, value);
  }

  /** Replaces that version, or creates the object without one. Returns the new version, `undefined` when another writer was faster. */
  protected writeObject(
    key: string,
    value: unknown,
    version: string | undefined,
  ): Promise<string | undefined> {
    if (version === undefined) return this.createObject(key, value);
    return replaceObject(this.s3, this.bucket, key, value, version);
  }

  /** What is under a prefix, a thousand objects a request. */
  protected async *listObjects(prefix: string): AsyncIterable<readonly _Object[]> {
    const input = { Bucket: this.bucket, Prefix: prefix };
    for await (const { Contents = [] } of paginateListObjectsV2({ client: this.s3 }, input)) yield Contents;
  }

  /** The folders directly under a prefix, each with the prefix and the slash at its end. */
  protected async *listFolders(prefix: string): AsyncIterable<string> {
    const input = { Bucket: this.bucket, Prefix: prefix, Delimiter: '/' };
    for await (const { CommonPrefixes = [] } of paginateListObjectsV2({ client: this.s3 }, input)) {
      for (const { Prefix } of CommonPrefixes) if (Prefix !== undefined) yield Prefix;
    }
  }
}
