import { DeleteObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import * as z from 'zod';
import {
  OPEN_ROUNDS,
  itemsKeyOfOpenRound,
  openRoundKey,
  planItemsKey,
  tickInItemsKey,
} from '#records/storage/keys.ts';
import { largestObject } from '#records/storage/object-bounds.ts';
import type { AnyItem, PlanItem } from '../plan-item.ts';
import { readUnfinishedItems } from './map-run-results.ts';
import { planItemSchema } from '../plan-item.ts';
import { putObject, readObject, StoredObjectError, isUnreadableObject } from '#runtime/s3-objects.ts';
import { storedArray } from './stored-array.ts';

export type LastTick =
  | { is: 'known'; tick: string; since: string }
  | { is: 'none' }
  /** The stored object cannot be read. */
  | { is: 'spoilt'; key: string; reason: string };

/** Times are ISO 8601 in UTC. */
export interface OpenRound {
  itemsKey: string;
  openedAt: string;
  handedOutAt: string;
  /** Key of the items with which they were handed out last: the round's own key, or that of a later tick. */
  handedOutBy: string;
}

export interface OpenRounds {
  rounds: OpenRound[];
  spoilt: { key: string; reason: string }[];
}

const tickSchema = z.lazy(() => z.object({ tick: z.iso.datetime(), since: z.iso.datetime() }));
const roundSchema = z.lazy(() =>
  z.object({
    openedAt: z.iso.datetime(),
    handedOutAt: z.iso.datetime(),
    handedOutBy: z.string(),
  }),
);

/** Bytes. An item with 366 days has 5 KiB. */
const LARGEST_ITEM = 64 * 1_024;
/** Ten thousand merchants have two items each: one with mail and one without. */
const MOST_ITEMS = 50_000;
/** One for each execution that runs, or died, within a day. */
const MOST_OPEN = 300;
const CONCURRENCY = 20;
/** A page has a thousand keys. */
const MOST_PAGES = 20;

function tickKey(kind: 'daily' | 'alert'): string {
  return `plan/${kind}.json`;
}

/** Whether a key has the name of an open round: it names a tick that is possible. */
function isOpenRound(key: string): boolean {
  const itemsKey = itemsKeyOfOpenRound(key);
  return itemsKey !== undefined && !Number.isNaN(tickInItemsKey(itemsKey));
}

/** What `plan` stores between ticks, the items that it passes to the fan-out, and the results that the fan-out writes. */
export class PlanStore {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  async lastTick(kind: 'daily' | 'alert'): Promise<LastTick> {
    const key = tickKey(kind);
    try {
      const read = await readObject(this.#s3, this.#bucket, key, tickSchema);
      return read === undefined ? { is: 'none' } : { is: 'known', ...read.value };
    } catch (error) {
      if (isUnreadableObject(error)) return { is: 'spoilt', key, reason: error.message };
      throw error;
    }
  }

  async rememberTick(kind: 'daily' | 'alert', window: { tick: string; since: string }): Promise<void> {
    await putObject(this.#s3, this.#bucket, tickKey(kind), window);
  }

  async openRounds(): Promise<OpenRounds> {
    const keys = await this.#openKeys();
    const [named, strange] = [keys.filter(isOpenRound), keys.filter((key) => !isOpenRound(key))];
    // Keys sort by time. Rounds older than these are over.
    const read = await pLimit(CONCURRENCY).map(named.slice(-MOST_OPEN), (key) => this.#openRound(key));
    return {
      rounds: read.flatMap(({ rounds }) => rounds),
      spoilt: [
        ...read.flatMap(({ spoilt }) => spoilt),
        ...strange.map((key) => ({ key, reason: `object ${key} does not have the name of an open round` })),
      ],
    };
  }

  /** All keys: other objects must not hide a round. */
  async #openKeys(): Promise<string[]> {
    const keys: string[] = [];
    let token: string | undefined;
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const { Contents = [], NextContinuationToken } = await this.#s3.send(
        new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: OPEN_ROUNDS, ContinuationToken: token }),
      );
      keys.push(...Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key])));
      token = NextContinuationToken;
      if (token === undefined) break;
    }
    return keys;
  }

  /**
   * Reads one round. If its record cannot be read, the round counts as never handed out again: its key says
   * which items it has.
   */
  async #openRound(key: string): Promise<OpenRounds> {
    const itemsKey = itemsKeyOfOpenRound(key) ?? '';
    try {
      const read = await readObject(this.#s3, this.#bucket, key, roundSchema);
      // It was closed in the meantime.
      return { rounds: read === undefined ? [] : [{ itemsKey, ...read.value }], spoilt: [] };
    } catch (error) {
      if (!isUnreadableObject(error)) throw error;
      const openedAt = new Date(tickInItemsKey(itemsKey)).toISOString();
      const round = { itemsKey, openedAt, handedOutAt: new Date(0).toISOString(), handedOutBy: itemsKey };
      return { rounds: [round], spoilt: [{ key, reason: error.message }] };
    }
  }

  /** Opens a round, or records that it was handed out again. */
  async openRound({ itemsKey, ...round }: OpenRound): Promise<void> {
    await putObject(this.#s3, this.#bucket, openRoundKey(itemsKey), { itemsKey, ...round });
  }

  /** Closes the round. Does nothing when it is not open. */
  async closeRound(itemsKey: string): Promise<void> {
    await this.#s3.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: openRoundKey(itemsKey) }));
  }

  /**
   * The items that the caller wants. @throws {StoredObjectError} when they do not exist, are not items, or
   * are far too many
   */
  async items(itemsKey: string, isWanted: (item: PlanItem) => boolean): Promise<PlanItem[]> {
    const limits = { element: LARGEST_ITEM, whole: largestObject(itemsKey) };
    const items: PlanItem[] = [];
    for await (const item of storedArray(this.#s3, this.#bucket, itemsKey, planItemSchema, limits)) {
      if (isWanted(item)) items.push(item);
      if (items.length > MOST_ITEMS)
        throw new StoredObjectError(itemsKey, `has more than ${MOST_ITEMS} items`);
    }
    return items;
  }

  /** Writes the items as a JSON array and returns its key. */
  async writeItems(name: string, items: readonly AnyItem[]): Promise<string> {
    const key = planItemsKey(name);
    await putObject(this.#s3, this.#bucket, key, items);
    return key;
  }

  /**
   * @param planned how many items the round had, when that is known
   * @throws {RoundResultsError} when the results do not name that many
   */
  unfinishedItems(manifestKeys: readonly string[], planned: number | undefined): Promise<AnyItem[]> {
    return readUnfinishedItems(this.#s3, this.#bucket, manifestKeys, planned);
  }
}
