import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { _Object, S3Client } from '@aws-sdk/client-s3';
import type * as z from 'zod';
import { putObject, readObject, writeObject } from './s3-objects.ts';
import { changeMarker } from '#records/storage/change-marker.ts';
import type { ChangeOfADay } from '#records/storage/change-marker.ts';
import type { Day } from '#records/day/business-day.ts';
import { changeKey } from '#records/storage/keys.ts';

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

  /** Replaces that version, or creates the object without one. Returns the new version, `undefined` when another writer was faster. */
  protected writeObject(key: string, value: unknown, version?: string): Promise<string | undefined> {
    return writeObject(this.s3, this.bucket, key, value, version);
  }

  /** What is under a prefix, a thousand objects a request. @param Delimiter leaves out what is in folders below */
  protected async *listObjects(prefix: string, Delimiter?: '/'): AsyncIterable<readonly _Object[]> {
    const input = { Bucket: this.bucket, Prefix: prefix, Delimiter };
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

/**
 * Notes changes of a day, so that the lake's history finds them without a list of all days. The marker is
 * written before the change, in the same run: at most `LATEST_CHANGE` lies between them.
 */
export class S3ChangeMarkers extends BucketStore {
  /** The last marker of this process, by what and day. */
  readonly #noted = new Map<string, string>();
  /** Markers that are being written ahead, by key. */
  readonly #announced = new Map<string, Promise<void>>();
  /** Once a process, after an announced one; a failed one is tried again. `now`: of this call, milliseconds UTC. */
  async note(what: ChangeOfADay, day: Day, now: number): Promise<void> {
    const marker = changeMarker(what, day, now);
    const key = changeKey(marker);
    const subject = `${what} ${day}`;
    await this.#announced.get(key);
    if (this.#noted.get(subject) === key) return;
    await this.putObject(key, marker);
    this.#noted.set(subject, key);
  }

  /** While the run does something else. Never fails: `note` tries again. `now`: of this call, milliseconds UTC. */
  async announce(what: ChangeOfADay, day: Day, now: number): Promise<void> {
    const key = changeKey(changeMarker(what, day, now));
    if (this.#announced.has(key)) return this.#announced.get(key);
    const written = this.note(what, day, now)
      .catch(() => undefined)
      .finally(() => this.#announced.delete(key));
    this.#announced.set(key, written);
    await written;
  }
}
