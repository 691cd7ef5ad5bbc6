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
} from '../core/keys.ts';
import type { LastTick, OpenRound, OpenRounds, PlanItem, PlanStore } from '../ports.ts';
import { readBounded } from './bounded-objects.ts';
import { readUnfinishedItems } from './map-run-results.ts';
import { planItemSchema } from './plan-item.ts';
import { putObject, StoredObjectError } from './s3-objects.ts';

const tickSchema = z.lazy(() => z.object({ tick: z.iso.datetime(), since: z.iso.datetime() }));
const itemsSchema = z.lazy(() => z.array(planItemSchema));
const roundSchema = z.lazy(() =>
  z.object({
    openedAt: z.iso.datetime(),
    handedOutAt: z.iso.datetime(),
    handedOutBy: z.string(),
  }),
);

/** Bytes. What `plan` writes has a few hundred. */
const LARGEST_RECORD = 64 * 1_024;
/** Bytes; ten thousand merchants with every lookback day there may be have 8 MiB. */
const LARGEST_ITEMS = 64 * 1_024 * 1_024;
/** There are as many as executions that run, or died, within a day. */
const MOST_OPEN = 300;
const CONCURRENCY = 20;

function tickKey(kind: 'daily' | 'alert'): string {
  return `plan/${kind}.json`;
}

/** What `plan` keeps in the data bucket, and what the fan-out leaves there: ticks, items, results. */
export class S3PlanStore implements PlanStore {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  async lastTick(kind: 'daily' | 'alert'): Promise<LastTick> {
    const key = tickKey(kind);
    try {
      const read = await readBounded(this.#s3, this.#bucket, key, tickSchema, LARGEST_RECORD);
      return read === undefined ? { is: 'none' } : { is: 'known', ...read.value };
    } catch (error) {
      if (error instanceof StoredObjectError) return { is: 'spoilt', key, reason: error.message };
      throw error;
    }
  }

  async rememberTick(kind: 'daily' | 'alert', window: { tick: string; since: string }): Promise<void> {
    await putObject(this.#s3, this.#bucket, tickKey(kind), window);
  }

  async openRounds(): Promise<OpenRounds> {
    const { Contents = [] } = await this.#s3.send(
      new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: OPEN_ROUNDS, MaxKeys: MOST_OPEN }),
    );
    const keys = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
    const read = await pLimit(CONCURRENCY).map(keys, (key) => this.#openRound(key));
    return { rounds: read.flatMap(({ rounds }) => rounds), spoilt: read.flatMap(({ spoilt }) => spoilt) };
  }

  /** One that cannot be read is taken for one that was never handed out again: its name says which items it has. */
  async #openRound(key: string): Promise<OpenRounds> {
    const itemsKey = itemsKeyOfOpenRound(key);
    const tick = itemsKey === undefined ? Number.NaN : tickInItemsKey(itemsKey);
    if (itemsKey === undefined || Number.isNaN(tick)) {
      return { rounds: [], spoilt: [{ key, reason: `object ${key} is not named as an open round is` }] };
    }
    try {
      const read = await readBounded(this.#s3, this.#bucket, key, roundSchema, LARGEST_RECORD);
      // It was closed meanwhile.
      return { rounds: read === undefined ? [] : [{ itemsKey, ...read.value }], spoilt: [] };
    } catch (error) {
      if (!(error instanceof StoredObjectError)) throw error;
      const openedAt = new Date(tick).toISOString();
      const round = { itemsKey, openedAt, handedOutAt: new Date(0).toISOString(), handedOutBy: itemsKey };
      return { rounds: [round], spoilt: [{ key, reason: error.message }] };
    }
  }

  async openRound({ itemsKey, ...round }: OpenRound): Promise<void> {
    await putObject(this.#s3, this.#bucket, openRoundKey(itemsKey), { itemsKey, ...round });
  }

  async closeRound(itemsKey: string): Promise<void> {
    await this.#s3.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: openRoundKey(itemsKey) }));
  }

  async items(itemsKey: string): Promise<PlanItem[]> {
    const read = await readBounded(this.#s3, this.#bucket, itemsKey, itemsSchema, LARGEST_ITEMS);
    if (read === undefined) throw new StoredObjectError(itemsKey, 'is not there');
    return read.value;
  }

  async writeItems(name: string, items: readonly PlanItem[]): Promise<string> {
    const key = planItemsKey(name);
    await putObject(this.#s3, this.#bucket, key, items);
    return key;
  }

  unfinishedItems(manifestKey: string, planned: number | undefined): Promise<PlanItem[]> {
    return readUnfinishedItems(this.#s3, this.#bucket, manifestKey, planned);
  }
}
