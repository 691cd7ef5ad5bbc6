import type { S3Client } from '@aws-sdk/client-s3';
import type { Day } from '#domain/day/business-day.ts';
import { DaybookError } from '#domain/errors/daybook-error.ts';
import { notifiedDayKey } from '#domain/storage/keys.ts';
import { nothingNotified, notifiedDaySchema } from './notified-day.ts';
import type { NotifiedDay } from './notified-day.ts';
import type { NotifiedDays } from './notified-days.ts';
import { createObject, putObject, readObject, replaceObject, StoredObjectError } from '#aws/s3-objects.ts';

const MOST_ATTEMPTS = 5;

interface Standing {
  notified: NotifiedDay;
  /** `undefined` when there is no object. `null` when it cannot be read and is overwritten. */
  version: string | null | undefined;
}

/**
 * `NotifiedDays` over S3, one object a day. It is written after the notices and serves only to avoid a second
 * notice. When it cannot be read or written, a notice sent twice is better than none.
 */
export class S3NotifiedDays implements NotifiedDays {
  readonly #s3: S3Client;
  readonly #bucket: string;
  readonly #log: (error: unknown) => void;

  constructor(s3: S3Client, bucket: string, log: (error: unknown) => void) {
    this.#s3 = s3;
    this.#bucket = bucket;
    this.#log = log;
  }

  async read(day: Day): Promise<NotifiedDay> {
    try {
      return (await this.#standing(day)).notified;
    } catch (error) {
      if (!(error instanceof DaybookError)) throw error;
      this.#log(error);
      return nothingNotified(day);
    }
  }

  async change(day: Day, change: (before: NotifiedDay) => NotifiedDay): Promise<void> {
    try {
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
        const standing = await this.#standing(day);
        if (await this.#write(day, change(standing.notified), standing.version)) return;
      }
    } catch (error) {
      if (!(error instanceof DaybookError)) throw error;
      this.#log(error);
    }
  }

  async #standing(day: Day): Promise<Standing> {
    try {
      const object = await readObject(this.#s3, this.#bucket, notifiedDayKey(day), notifiedDaySchema);
      // Somebody may have copied the object of another day there.
      if (object?.value.day === day) return { notified: object.value, version: object.version };
      return { notified: nothingNotified(day), version: object?.version };
    } catch (error) {
      if (!(error instanceof StoredObjectError)) throw error;
      this.#log(error);
      return { notified: nothingNotified(day), version: null };
    }
  }

  async #write(day: Day, notified: NotifiedDay, version: Standing['version']): Promise<boolean> {
    const [s3, bucket, key] = [this.#s3, this.#bucket, notifiedDayKey(day)];
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
