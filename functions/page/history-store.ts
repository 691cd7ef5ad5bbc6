import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { addDays, type Day } from '#records/day/business-day.ts';
import { likeDays } from '#records/day/occasions.ts';
import {
  HISTORY_DAYS,
  followedDaySchema,
  followStateSchema,
  figuresOfDay,
  isSameHistory,
  mayLack,
  recentDays,
  withCurrency,
  withDays,
} from '#records/figures/history.ts';
import type { FollowedDay, FollowState } from '#records/figures/history.ts';
import { historyKey } from '#records/storage/keys.ts';
import { soFarUntil, type Manifest } from '#records/revision/manifest.ts';
import { laterState, toldStateSchema, withoutAccounted, type ToldState } from '#records/revision/told.ts';
import { isSameJson } from '#records/json/same-json.ts';
import { wholeDays, type DayStore } from './day-store.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { readText, StoredObjectError } from '#runtime/s3-objects.ts';
import { StorageError } from '#records/errors/storage-error.ts';

export interface LocalDate {
  /** No later day can be sealed. */
  today: Day;
  /** IANA name. */
  timeZone: string;
  /** Days that the merchant's invoices are followed. */
  followFor: number;
}

interface Remembered extends FollowState {
  /** `undefined` when there is no readable history. */
  stored: readonly FollowedDay[] | undefined;
  /** `null` when the history does not have it. */
  merchantId: string | null;
  /** What recipients were told last; `null` when the history does not have it. */
  told: ToldState | null;
  /** `undefined` when there is no object. */
  eTag: string | undefined;
  /** Too large to be read, and overwritten. */
  isTooLarge: boolean;
}

export interface KnownHistory extends Remembered {
  /** Newest first, with what the stored ones may lack. */
  days: readonly FollowedDay[];
  /** What recipients were told last, as found out since. */
  accounted?: ToldState | null;
  /** The day of the year before that a day such as Eid is compared with. It is not stored again. */
  yearBefore?: readonly FollowedDay[];
}

const NOTHING: Remembered = {
  stored: undefined,
  merchantId: null,
  told: null,
  followedFrom: null,
  countsFailedOn: null,
  eTag: undefined,
  isTooLarge: false,
};

interface HistoryChange {
  merchantCode: string;
  merchantId?: string | null;
  currency?: string | undefined;
  day: Day;
  added: readonly FollowedDay[];
  state?: Partial<FollowState>;
}

export const NO_HISTORY: KnownHistory = { ...NOTHING, days: [] };

const historySchema = z.lazy(() =>
  z.object({
    merchantCode: z.string(),
    // Histories of earlier versions have neither.
    merchantId: z.string().nullable().default(null),
    told: toldStateSchema.nullable().default(null),
    days: z.array(followedDaySchema),
    ...followStateSchema.unwrap().shape,
  }),
);

/** Runs of one merchant seldom write at the same time. A run that loses this often leaves its day to the next run. */
const MOST_ATTEMPTS = 8;
/**
 * Days of a history besides those that are followed: a statement of a month, which may be made again five weeks after
 * it, also counts what was open before.
 */
const DAYS_OF_STATEMENTS = 66;

/** The object's days, each once, newest first. Somebody may have edited it or copied another merchant's there. */
function historyIn(text: string, merchantCode: string): Omit<Remembered, 'eTag' | 'isTooLarge'> {
  try {
    const { days, merchantCode: owner, ...history } = historySchema.parse(JSON.parse(text));
    if (owner === merchantCode) return { ...history, stored: withDays([], days, days.length) };
  } catch {
    // It is made again.
  }
  return NOTHING;
}

/** How many sealed days the history has at most. @param followFor days that invoices are followed */
export function keptDays(followFor: number): number {
  return followFor + DAYS_OF_STATEMENTS;
}

function daysUntil(last: Day, count: number): Day[] {
  return Array.from({ length: count }, (_, back) => addDays(last, -back));
}

/**
 * The figures of a merchant's whole days in one small object, rebuilt from the manifests when missing or unreadable.
 */
export class HistoryStore extends BucketStore {
  readonly #snapshots: DayStore;

  constructor(s3: S3Client, bucket: string, snapshots: DayStore) {
    super(s3, bucket);
    this.#snapshots = snapshots;
  }

  /** What is stored, and nothing more. */
  async stored(merchantCode: string): Promise<KnownHistory> {
    const remembered = await this.#rememberedIfGiven(merchantCode);
    return { ...remembered, days: remembered.stored ?? [] };
  }

  /**
   * The stored days, newest first. The day before `day` is looked up when it is missing, and on days such as Eid the
   * one of the year before. When there is no readable history, all days of use are looked up.
   */
  async read(merchantCode: string, day: Day, at: LocalDate): Promise<KnownHistory> {
    const remembered = await this.#rememberedIfGiven(merchantCode);
    const { days: alike, isUsual } = likeDays(day, at.timeZone);
    const [days, yearBefore] = await Promise.all([
      this.#daysUntil(merchantCode, day, remembered.stored, at),
      isUsual ? [] : this.#sealed(merchantCode, alike, at),
    ]);
    return { ...remembered, days, yearBefore };
  }

  async #daysUntil(
    merchantCode: string,
    day: Day,
    stored: Remembered['stored'],
    at: LocalDate,
  ): Promise<readonly FollowedDay[]> {
    if (stored === undefined) return this.#remade(merchantCode, day, at);
    const dayBefore = addDays(day, -1);
    if (!mayLack(stored, dayBefore)) return stored;
    return withDays(stored, await this.#sealed(merchantCode, [dayBefore], at), stored.length + 1);
  }

  /**
   * Unless newer revisions are stored. Not of an unfinished day: others cannot be compared with it. `false`
   * when others wrote at every attempt: the next run makes up for it.
   * @param before if it was read
   */
  async record(manifest: Manifest, at: LocalDate, before?: KnownHistory): Promise<boolean> {
    const { merchantCode, merchantId, day, currency } = manifest;
    // A dead run may not have stored the days that its manifest knew, nor the day that this one looked up.
    const isWhole = soFarUntil(manifest, at.timeZone) === null;
    const own = isWhole ? [figuresOfDay(manifest)] : [];
    const added = [...recentDays(manifest.history, day), ...(before?.days ?? []), ...own];
    return this.#write({ merchantCode, merchantId, currency, day, added }, at, before);
  }

  /** Adds days that were sealed before, and what is known of a merchant's open past. `false` as for {@link record}. */
  async recordFollowed(
    merchantCode: string,
    added: readonly FollowedDay[],
    state: Partial<FollowState>,
    at: LocalDate,
  ): Promise<boolean> {
    return this.#write({ merchantCode, added, state, day: at.today }, at);
  }

  async #write(change: HistoryChange, at: LocalDate, before?: KnownHistory): Promise<boolean> {
    const { merchantCode, merchantId, currency, day, added, state } = change;
    const key = historyKey(merchantCode);
    const most = keptDays(at.followFor);
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const known = attempt === 1 ? before : undefined;
      const standing = known ?? (await this.#remembered(merchantCode));
      const { stored, eTag, isTooLarge, followedFrom, countsFailedOn } = standing;
      const days = stored ?? known?.days ?? (await this.#remade(merchantCode, day, at));
      const told = laterState(standing.told, before?.accounted ?? null);
      const all = withCurrency(withDays(days, added, most), currency);
      const history = {
        merchantCode,
        merchantId: merchantId ?? standing.merchantId,
        told,
        days: withoutAccounted(all, told),
        followedFrom,
        countsFailedOn,
        ...state,
      };
      const isSame =
        history.merchantId === standing.merchantId &&
        isSameJson(told, standing.told) &&
        history.followedFrom === followedFrom &&
        history.countsFailedOn === countsFailedOn;
      if (isSame && stored !== undefined && isSameHistory(history.days, stored)) return true;
      if (isTooLarge) {
        await this.putObject(key, history);
        return true;
      }
      if ((await this.writeObject(key, history, eTag)) !== undefined) return true;
    }
    return false;
  }

  async #remembered(merchantCode: string): Promise<Remembered> {
    try {
      const object = await readText(this.s3, this.bucket, historyKey(merchantCode));
      if (object === undefined) return NOTHING;
      return { ...historyIn(object.text, merchantCode), eTag: object.version, isTooLarge: false };
    } catch (error) {
      if (error instanceof StoredObjectError) return { ...NOTHING, isTooLarge: true };
      throw error;
    }
  }

  /** An object that S3 refuses must not delay a report. Recording the day fails likewise, and that is reported. */
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
  #remade(merchantCode: string, day: Day, at: LocalDate): Promise<FollowedDay[]> {
    const last = daysUntil(at.today, keptDays(at.followFor));
    const before = daysUntil(addDays(day, -1), HISTORY_DAYS);
    return this.#sealed(merchantCode, [...new Set([...last, ...before])].sort().reverse(), at);
  }

  /** The figures of the sealed ones among the days, in the order given. */
  async #sealed(merchantCode: string, days: readonly Day[], { timeZone }: LocalDate): Promise<FollowedDay[]> {
    return (await wholeDays(this.#snapshots, { merchantCode, timeZone }, days)).map(figuresOfDay);
  }
}
