import { GetObjectCommand, S3ServiceException } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { boundedText } from '#records/storage/object-bounds.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { parseObject, StoredObjectError, isUnreadableObject } from '#runtime/s3-objects.ts';
import { StorageError } from '#records/errors/storage-error.ts';
import { periodSchema, periodKind } from '#records/period/period.ts';
import {
  pageKey,
  dayPrefix,
  isMerchantDay,
  ownerPart,
  pageLedgerKey,
  periodPrefix,
} from '#records/storage/keys.ts';
import type { PagePlace, PageId } from '#records/storage/keys.ts';
import pLimit from 'p-limit';
import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import type { LedgerStore } from '#mail/ledger-store.ts';
import { storedMailThatCounts } from '#page/mail-that-counts.ts';
import type { SealedPages } from '#page/page-store.ts';
import type { DayStore } from '#page/day-store.ts';
import { deliveryOf, unreadableDelivery } from './delivery.ts';
import type { Delivery, ExpectedPage, PageRecords } from './delivery.ts';

/** Bytes: everything before the merchants has less than five hundred. */
const HEAD = 4_096;
/** A page's merchants come after its other short members. */
const MERCHANTS = ',"merchants":[';

const headSchema = z.lazy(() =>
  z.object({ group: z.string(), period: periodSchema, revision: z.int(), final: z.boolean() }),
);

/** Not there, or without a first byte. */
function isNoPage(error: unknown): boolean {
  if (error instanceof StorageError) return error.status === 416;
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;
}

export class GroupHeads extends BucketStore {
  /**
   * Reads the first bytes of the page only: large ones have ten megabytes.
   * @throws {StoredObjectError} when it is not there, or is not what Daybook writes there
   */
  async isFinal({ owner, period, revision }: PagePlace): Promise<boolean> {
    const key = pageKey({ owner, period, revision });
    const text = await this.#start(key);
    const end = text.indexOf(MERCHANTS);
    if (end < 0) throw new StoredObjectError(key, 'is not what Daybook writes there: merchants');
    const head = parseObject(key, `${text.slice(0, end)}}`, headSchema);
    if (head.group !== owner.group || head.period !== period || head.revision !== revision) {
      throw new StoredObjectError(key, 'belongs to another key');
    }
    return head.final;
  }

  async #start(key: string): Promise<string> {
    const range = { Bucket: this.bucket, Key: key, Range: `bytes=0-${HEAD - 1}` };
    try {
      const { Body } = await this.s3.send(new GetObjectCommand(range));
      return (await boundedText(Body, key, HEAD)) ?? '';
    } catch (error) {
      if (isNoPage(error)) throw new StoredObjectError(key, 'is not there, or empty');
      throw error;
    }
  }
}

export interface RecordStores {
  sealedPages: Pick<SealedPages, 'newestRevisions' | 'merchantsOf'>;
  snapshots: Pick<DayStore, 'lastCheck' | 'revision'>;
  groupHeads: Pick<GroupHeads, 'isFinal'>;
  ledgers: Pick<LedgerStore, 'read'>;
}

export interface Look {
  /** Milliseconds UTC. */
  now: number;
  /** One request of each is under way at a time. */
  atOnce: number;
  /** Whether ops know already that nothing of a statement is sealed. */
  isKnownEmpty?: (page: ExpectedPage) => boolean;
  onUnreadable: (error: Error) => void;
}

export interface LookedPage {
  page: ExpectedPage;
  /** `undefined` when an object cannot be read. */
  records: PageRecords | undefined;
  delivery: Delivery;
}

interface Listed {
  page: ExpectedPage;
  place: number;
  revision: number | undefined;
  hasParts: boolean;
}

function listingOf(page: PageId): string {
  return isMerchantDay(page) ? dayPrefix(page.period) : periodPrefix(page.period);
}

/**
 * What became of every page, in their order, one period after another: one listing in memory. A group's day
 * without any merchant's page is not told: the merchants' missing reports are.
 * @param keep what is kept of each, because records need much memory
 */
export async function lookAtPages<Kept>(
  stores: RecordStores,
  pages: readonly ExpectedPage[],
  look: Look,
  keep: (looked: LookedPage) => Kept,
): Promise<Kept[]> {
  const limit = pLimit(look.atOnce);
  const kept = new Map<number, Kept>();
  const placed = pages.map((page, place) => ({ page, place }));
  for (const [prefix, own] of Map.groupBy(placed, ({ page }) => listingOf(page))) {
    const revisions = await stores.sealedPages.newestRevisions(prefix);
    const listed = own.map(({ page, place }): Listed => {
      const revision = revisions.get(ownerPart(page.owner));
      return { page, place, revision, hasParts: revision !== undefined || hasStatement(page, revisions) };
    });
    await findParts(stores, listed, look);
    await limit.map(listed, async (one) => {
      if (one.hasParts || !isGroupDay(one.page)) kept.set(one.place, keep(await lookAt(stores, one, look)));
    });
  }
  return [...kept].sort(([one], [other]) => one - other).map(([, value]) => value);
}

function isGroupDay({ owner, period }: PageId): boolean {
  return owner.group !== undefined && periodKind(period) === 'day';
}

function hasStatement({ members }: ExpectedPage, revisions: ReadonlyMap<string, number>): boolean {
  return members?.some((merchantCode) => revisions.has(ownerPart({ merchantCode }))) === true;
}

/** Looks at the newest days first: usually one is enough. A group adds up statements, so days do not matter. */
async function findParts(
  { sealedPages }: RecordStores,
  listed: readonly Listed[],
  { isKnownEmpty }: Look,
): Promise<void> {
  let left = listed.filter(({ page, hasParts }) => {
    const addsUpDays = page.members === null ? !isMerchantDay(page) : isGroupDay(page);
    return addsUpDays && !hasParts && isKnownEmpty?.(page) !== true;
  });
  const first = left.reduce<Day>((day, { page }) => (page.from < day ? page.from : day), '9999');
  const last = left.reduce<Day>((day, { page }) => (page.to > day ? page.to : day), '');
  for (let day = last; day >= first && left.length > 0; day = addDays(day, -1)) {
    const merchants = await sealedPages.merchantsOf(day);
    for (const one of left) {
      const { owner, members, from, to } = one.page;
      const codes = members ?? (owner.merchantCode === undefined ? [] : [owner.merchantCode]);
      one.hasParts = from <= day && day <= to && codes.some((code) => merchants.has(code));
    }
    left = left.filter(({ hasParts }) => !hasParts);
  }
}

async function lookAt(
  stores: RecordStores,
  { page, revision, hasParts }: Listed,
  { now, onUnreadable }: Look,
): Promise<LookedPage> {
  try {
    const records = await recordsOf(stores, page, revision, hasParts);
    return { page, records, delivery: deliveryOf(page, records, now) };
  } catch (error) {
    // An unreadable object must not hide the other pages.
    if (!isUnreadableObject(error)) throw error;
    onUnreadable(error);
    return { page, records: undefined, delivery: unreadableDelivery(page, revision) };
  }
}

/**
 * @param revision the newest, from a listing
 * @param hasParts whether anything it adds up is sealed
 * @throws {StoredObjectError} when an object is not what Daybook writes there
 */
export async function recordsOf(
  stores: RecordStores,
  page: ExpectedPage,
  revision: number | undefined,
  hasParts: boolean,
): Promise<PageRecords> {
  const { owner, period, timeZone } = page;
  const { snapshots, ledgers, groupHeads } = stores;
  const isDay = isMerchantDay(page);
  const check = isDay ? await snapshots.lastCheck(owner.merchantCode ?? '', period) : undefined;
  if (revision === undefined) return { revision, isGood: undefined, ledger: undefined, check, hasParts };
  const place = { owner, period, revision };
  const newest = (await ledgers.read(pageLedgerKey(place)))?.ledger;
  const ledger = await storedMailThatCounts(stores, place, newest, timeZone);
  const found = { revision, ledger, check, hasParts: true };
  // The ledger says whether the page balances or is final. That of a group's page does not.
  if (owner.group !== undefined) return { ...found, isGood: await groupHeads.isFinal(place) };
  const isGood = newest?.figures?.balanced;
  if (!isDay) return { ...found, isGood };
  // The record of the last pull has the time, so the manifest is seldom needed. One of an earlier revision
  // has an older time.
  const asOf = (check?.revision ?? 0) >= revision ? check?.asOf : null;
  if (isGood !== undefined && typeof asOf === 'string') return { ...found, isGood, asOf };
  const manifest = await snapshots.revision(place);
  return {
    ...found,
    isGood: manifest?.balanced,
    asOf: manifest && (asOf ?? manifest.soFarUntil ?? manifest.pulledAt),
  };
}
