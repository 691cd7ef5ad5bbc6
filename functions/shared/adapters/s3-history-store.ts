import type { S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import * as z from 'zod';
import { addDays } from '../core/business-day.ts';
import type { Day } from '../core/business-day.ts';
import { HISTORY_DAYS, dayFiguresSchema, figuresOfDay, withDay } from '../core/history.ts';
import type { DayFigures } from '../core/history.ts';
import { historyKey } from '../core/keys.ts';
import type { Manifest } from '../core/manifest.ts';
import type { HistoryStore, SnapshotStore } from '../ports.ts';
import { createObject, readText, replaceObject } from './s3-objects.ts';

const historySchema = z.object({ days: z.array(dayFiguresSchema) });

/** Runs of one merchant meet here now and then; the last of so many to lose leaves its day to the next look at it. */
const MOST_ATTEMPTS = 8;
const MOST_READS_AT_ONCE = 8;

interface Remembered {
  /** `undefined` where there is none that can be read. */
  days: DayFigures[] | undefined;
  /** `undefined` where nothing stands there at all. */
  version: string | undefined;
}

function daysIn(text: string): DayFigures[] | undefined {
  try {
    return historySchema.parse(JSON.parse(text)).days;
  } catch {
    return undefined;
  }
}

/** The history in the data bucket, one small object a merchant; made anew of the manifests where it is gone or spoilt. */
export class S3HistoryStore implements HistoryStore {
  readonly #s3: S3Client;
  readonly #bucket: string;
  readonly #snapshots: SnapshotStore;

  constructor(s3: S3Client, bucket: string, snapshots: SnapshotStore) {
    this.#s3 = s3;
    this.#bucket = bucket;
    this.#snapshots = snapshots;
  }

  async read(merchantCode: string, day: Day): Promise<DayFigures[]> {
    const { days } = await this.#remembered(merchantCode);
    return days ?? this.#sealedBefore(merchantCode, day);
  }

  async record(manifest: Manifest): Promise<boolean> {
    const { merchantCode, day } = manifest;
    const key = historyKey(merchantCode);
    const added = figuresOfDay(manifest);
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const { days, version } = await this.#remembered(merchantCode);
      const known = days ?? (await this.#sealedBefore(merchantCode, day));
      const history = { days: withDay(known, added) };
      if (days !== undefined && JSON.stringify(history.days) === JSON.stringify(days)) return true;
      const written =
        version === undefined
          ? await createObject(this.#s3, this.#bucket, key, history)
          : await replaceObject(this.#s3, this.#bucket, key, history, version);
      if (written !== undefined) return true;
    }
    return false;
  }

  async #remembered(merchantCode: string): Promise<Remembered> {
    const object = await readText(this.#s3, this.#bucket, historyKey(merchantCode));
    if (object === undefined) return { days: undefined, version: undefined };
    return { days: daysIn(object.text), version: object.version };
  }

  /** The sealed days before a day, from their manifests: once in a merchant's life. */
  async #sealedBefore(merchantCode: string, day: Day): Promise<DayFigures[]> {
    const limit = pLimit(MOST_READS_AT_ONCE);
    const days = Array.from({ length: HISTORY_DAYS }, (_, index) => addDays(day, -1 - index));
    const manifests = await Promise.all(
      days.map((before) => limit(() => this.#snapshots.newest(merchantCode, before))),
    );
    return manifests.flatMap((manifest) => (manifest === undefined ? [] : [figuresOfDay(manifest)]));
  }
}
