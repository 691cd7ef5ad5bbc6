import type { S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import * as z from 'zod';
import { addDays } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { HISTORY_DAYS, dayFiguresSchema, figuresOfDay, mayLack, withDay } from '#domain/figures/history.ts';
import type { DayFigures } from '#domain/figures/history.ts';
import { historyKey } from '#domain/storage/keys.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import { soFarUntil } from '#domain/day/so-far.ts';
import type { HistoryStore, LocalDate } from './history-store.ts';
import type { SnapshotStore } from './snapshot-store.ts';
import { createObject, putObject, readText, replaceObject, StoredObjectError } from '#aws/s3-objects.ts';
import { StorageError } from '#aws/storage-error.ts';

const historySchema = z.lazy(() => z.object({ merchantCode: z.string(), days: z.array(dayFiguresSchema) }));

/**
 * Runs of one merchant seldom write at the same time. A run that loses this often leaves its day to the next
 * run.
 */
const MOST_ATTEMPTS = 8;
const MOST_READS_AT_ONCE = 8;
/**
 * How many days before today a lost history is rebuilt from. Lookback days then also have the days before
 * them.
 */
const REMADE_DAYS = HISTORY_DAYS + 7;

interface Remembered {
  /** `undefined` when there is no readable history. */
  days: DayFigures[] | undefined;
  /** `undefined` when there is no object. */
  version: string | undefined;
  /** Whether the object is too large to be read, and is overwritten. */
  isTooLarge: boolean;
}

const NOTHING: Remembered = { days: undefined, version: undefined, isTooLarge: false };

/**
 * The days in the object, each once, newest first. Somebody may have edited it or copied another merchant's
 * object there.
 */
function daysIn(text: string, merchantCode: string): DayFigures[] | undefined {
  try {
    const history = historySchema.parse(JSON.parse(text));
    return history.merchantCode === merchantCode ? history.days.reduce<DayFigures[]>(withDay, []) : undefined;
  } catch {
    return undefined;
  }
}

/** The given number of days, up to this one. */
function daysUntil(last: Day, count: number): Day[] {
  return Array.from({ length: count }, (_, back) => addDays(last, -back));
}

/**
 * `HistoryStore` over the data bucket: one small object a merchant. It is rebuilt from the manifests when it
 * is missing or unreadable.
 */
export class S3HistoryStore implements HistoryStore {
  readonly #s3: S3Client;
  readonly #bucket: string;
  readonly #snapshots: SnapshotStore;

  constructor(s3: S3Client, bucket: string, snapshots: SnapshotStore) {
    this.#s3 = s3;
    this.#bucket = bucket;
    this.#snapshots = snapshots;
  }

  async read(merchantCode: string, day: Day, at: LocalDate): Promise<DayFigures[]> {
    const { days } = await this.#rememberedIfGiven(merchantCode);
    if (days === undefined) return this.#remade(merchantCode, day, at);
    const dayBefore = addDays(day, -1);
    if (!mayLack(days, dayBefore)) return days;
    return (await this.#sealed(merchantCode, [dayBefore], at)).reduce(withDay, days);
  }

  async record(manifest: Manifest, at: LocalDate): Promise<boolean> {
    const { merchantCode, day } = manifest;
    const key = historyKey(merchantCode);
    // A dead run may not have stored the days that its manifest knew.
    const isWhole = soFarUntil(manifest, at.timeZone) === null;
    const added = [...manifest.history, ...(isWhole ? [figuresOfDay(manifest)] : [])];
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const { days, version, isTooLarge } = await this.#remembered(merchantCode);
      const known = days ?? (await this.#remade(merchantCode, day, at));
      const history = { merchantCode, days: added.reduce(withDay, known) };
      if (days !== undefined && JSON.stringify(history.days) === JSON.stringify(days)) return true;
      if (isTooLarge) {
        await putObject(this.#s3, this.#bucket, key, history);
        return true;
      }
      const written =
        version === undefined
          ? await createObject(this.#s3, this.#bucket, key, history)
          : await replaceObject(this.#s3, this.#bucket, key, history, version);
      if (written !== undefined) return true;
    }
    return false;
  }

  async #remembered(merchantCode: string): Promise<Remembered> {
    try {
      const object = await readText(this.#s3, this.#bucket, historyKey(merchantCode));
      if (object === undefined) return NOTHING;
      return { days: daysIn(object.text, merchantCode), version: object.version, isTooLarge: false };
    } catch (error) {
      if (error instanceof StoredObjectError) return { ...NOTHING, isTooLarge: true };
      throw error;
    }
  }

  /**
   * An object that S3 refuses must not delay a report. Recording the day fails in the same way, and that
   * failure is reported.
   */
  async #rememberedIfGiven(merchantCode: string): Promise<Remembered> {
    try {
      return await this.#remembered(merchantCode);
    } catch (error) {
      if (error instanceof StorageError) return NOTHING;
      throw error;
    }
  }

  /**
   * The history from the manifests, rebuilt once in a merchant's life. It covers the last weeks and the days
   * before the given day, because a stored history counts as complete.
   */
  #remade(merchantCode: string, day: Day, at: LocalDate): Promise<DayFigures[]> {
    const last = daysUntil(at.today, REMADE_DAYS);
    const before = daysUntil(addDays(day, -1), HISTORY_DAYS);
    return this.#sealed(merchantCode, [...new Set([...last, ...before])].sort().reverse(), at);
  }

  /** The figures of the sealed ones among the days, in the order given. */
  async #sealed(merchantCode: string, days: readonly Day[], at: LocalDate): Promise<DayFigures[]> {
    const limit = pLimit(MOST_READS_AT_ONCE);
    const sealed = await Promise.all(days.map((day) => limit(() => this.#figures(merchantCode, day, at))));
    return sealed.flatMap((figures) => figures ?? []);
  }

  /**
   * The figures of a day. An unreadable manifest stops only the runs of its own day. Here it is left out, as
   * is an unfinished day.
   */
  async #figures(merchantCode: string, day: Day, { timeZone }: LocalDate): Promise<DayFigures | undefined> {
    try {
      const manifest = await this.#snapshots.newest(merchantCode, day);
      if (manifest === undefined || soFarUntil(manifest, timeZone) !== null) return undefined;
      return figuresOfDay(manifest);
    } catch (error) {
      if (error instanceof StoredObjectError || error instanceof z.ZodError) return undefined;
      throw error;
    }
  }
}
