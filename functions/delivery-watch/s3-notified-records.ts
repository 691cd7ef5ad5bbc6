import type { S3Client } from '@aws-sdk/client-s3';
import type * as z from 'zod';
import { DaybookError } from '#domain/errors/daybook-error.ts';
import type { NotifiedRecords } from './notified-records.ts';
import { createObject, putObject, readObject, replaceObject, StoredObjectError } from '#aws/s3-objects.ts';

const MOST_ATTEMPTS = 5;

/** What is stored, and where. A record has the name of its day or period. */
export interface RecordKind<Notified> {
  schema: z.ZodType<Notified>;
  keyOf: (name: string) => string;
  nameOf: (record: Notified) => string;
  /** The record of a day or period of which ops were not notified. */
  nothing: (name: string) => Notified;
}

interface Standing<Notified> {
  notified: Notified;
  /** `undefined` when there is no object. `null` when it cannot be read and is overwritten. */
  version: string | null | undefined;
}

/**
 * `NotifiedRecords` over S3, one object each. It is written after the notices and serves only to avoid a second
 * notice. When it cannot be read or written, a notice sent twice is better than none.
 */
export class S3NotifiedRecords<Notified> implements NotifiedRecords<Notified> {
  readonly #s3: S3Client;
  readonly #bucket: string;
  readonly #kind: RecordKind<Notified>;
  readonly #log: (error: unknown) => void;

  constructor(s3: S3Client, bucket: string, kind: RecordKind<Notified>, log: (error: unknown) => void) {
    this.#s3 = s3;
    this.#bucket = bucket;
    this.#kind = kind;
    this.#log = log;
  }

  async read(name: string): Promise<Notified> {
    try {
      return (await this.#standing(name)).notified;
    } catch (error) {
      if (!(error instanceof DaybookError)) throw error;
      this.#log(error);
      return this.#kind.nothing(name);
    }
  }

  async change(name: string, change: (before: Notified) => Notified): Promise<void> {
    try {
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
        const standing = await this.#standing(name);
        if (await this.#write(name, change(standing.notified), standing.version)) return;
      }
    } catch (error) {
      if (!(error instanceof DaybookError)) throw error;
      this.#log(error);
    }
  }

  async #standing(name: string): Promise<Standing<Notified>> {
    const { schema, keyOf, nameOf, nothing } = this.#kind;
    try {
      const object = await readObject(this.#s3, this.#bucket, keyOf(name), schema);
      // Somebody may have copied the object of another day there.
      if (object !== undefined && nameOf(object.value) === name) {
        return { notified: object.value, version: object.version };
      }
      return { notified: nothing(name), version: object?.version };
    } catch (error) {
      if (!(error instanceof StoredObjectError)) throw error;
      this.#log(error);
      return { notified: nothing(name), version: null };
    }
  }

  async #write(name: string, notified: Notified, version: string | null | undefined): Promise<boolean> {
    const [s3, bucket, key] = [this.#s3, this.#bucket, this.#kind.keyOf(name)];
    if (version === null) {
      await putObject(s3, bucket, key, notified);
      return true;
    }
    const written =
      version === undefined
        ? await createObject(s3, bucket, key, notified)
        : await replaceObject(s3, bucket, key, notified, version);
    return written !== undefined;
  }
}
