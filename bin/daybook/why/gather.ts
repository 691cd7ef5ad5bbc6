import { isUnreadableObject } from '#runtime/s3-objects.ts';
import {
  addressHash,
  isMerchantDay,
  ownerPart,
  pageLedgerKey,
  planItemsKey,
  tickInItemsKey,
} from '#records/storage/keys.ts';
import { deliveryOf, unreadableDelivery } from '#watch/delivery-watch/delivery.ts';
import type { ExpectedPage } from '#watch/delivery-watch/delivery.ts';
import { GroupHeads } from '#watch/delivery-watch/group-heads.ts';
import { recordsOf } from '#watch/delivery-watch/look-at-pages.ts';
import { NotifiedStore } from '#watch/delivery-watch/notified.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import { SealedPages } from '#page/page-store.ts';
import { SnapshotStore } from '#page/snapshot-store.ts';
import { sealedRevision } from '../stage/sealed-revision.ts';
import { readStop } from '../suppression/stops.ts';
import { askedPage } from './asked-page.ts';
import type { AskedOwner, WhyQuestion } from './asked-page.ts';
import type { AskedAddress, AskedPage, RevisionFacts, StopFacts, WhyFacts, PlanFacts } from './facts.ts';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import type { PageId } from '#records/storage/keys.ts';
import { PlanStore } from '#functions/plan/store/plan-store.ts';

/** The most ticks that are searched, from the hour of the report on. Ticks without items have no object. */
const MOST_TICKS = 8;

/** The keys of items of the first ticks from a moment on. @param from milliseconds UTC */
async function ticksFrom(s3: S3Client, bucket: string, from: number): Promise<string[]> {
  const name = (moment: number) =>
    `daily/${new Date(moment).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  const { Contents = [] } = await s3.send(
    new ListObjectsV2Command({
      Bucket: bucket,
      Prefix: planItemsKey('daily/').replace(/\.json$/, ''),
      // A key before that of the tick at that moment.
      StartAfter: planItemsKey(name(from - 1_000)),
      MaxKeys: MOST_TICKS,
    }),
  );
  return Contents.flatMap(({ Key }) =>
    Key !== undefined && !Number.isNaN(tickInItemsKey(Key)) ? [Key] : [],
  );
}

/**
 * Which tick handed a merchant's day out with a mail, and whether its round has ended.
 *
 * @param dueAt milliseconds UTC
 */
async function gatherPlan(
  s3: S3Client,
  bucket: string,
  { owner: { merchantCode }, period: day }: PageId,
  dueAt: number,
): Promise<PlanFacts> {
  const plans = new PlanStore(s3, bucket);
  const [last, ticks] = await Promise.all([plans.lastTick('daily'), ticksFrom(s3, bucket, dueAt)]);
  const lastTick = last.is === 'known' ? last.tick : null;
  for (const itemsKey of ticks) {
    const items = await itemsOf(plans, itemsKey, merchantCode);
    if (!items.some(({ days, send }) => send && days.includes(day))) continue;
    const { rounds } = await plans.openRounds();
    return {
      lastTick,
      plannedAt: new Date(tickInItemsKey(itemsKey)).toISOString(),
      isOpen: rounds.some((round) => round.itemsKey === itemsKey),
    };
  }
  return { lastTick, plannedAt: null, isOpen: false };
}

async function itemsOf(plans: PlanStore, itemsKey: string, merchantCode: string | undefined) {
  try {
    return await plans.items(itemsKey, (item) => item.merchantCode === merchantCode);
  } catch (error) {
    // Other ticks may still name it.
    if (!isUnreadableObject(error)) throw error;
    return [];
  }
}

const MOST_REVISIONS = 20;

type Bucket = Pick<WhyQuestion, 's3' | 'bucket'>;

/**
 * Reads what the bucket has of a page, with the stores of the functions.
 *
 * @param address the one that is asked for, if one is
 * @throws as {@link askedPage}
 */
export async function gatherFacts(
  question: WhyQuestion,
  owner: AskedOwner,
  address: AskedAddress | undefined,
): Promise<WhyFacts> {
  const { s3, bucket, now } = question;
  const asked = await askedPage(question, owner);
  const { page, clock } = asked;
  const found = await readRecords(question, asked);
  const hashes = new Set([
    ...page.recipients.map(addressHash),
    ...found.revisions.flatMap(({ ledger }) => ledger?.recipients.map(({ to }) => to) ?? []),
    ...(address === undefined ? [] : [address.hash]),
  ]);
  const isDay = isMerchantDay(page);
  const watched = isDay ? 'reports' : 'statements';
  const [stops, plan, notified] = await Promise.all([
    stopsOf(question, hashes),
    isDay && clock !== null ? gatherPlan(s3, bucket, page, clock.dueAt) : null,
    new NotifiedStore(s3, bucket, watched, () => undefined).read(page.period),
  ]);
  return { ...asked, ...found, now, plan, stops, wasNotified: notified.told.has(ownerPart(page.owner)) };
}

type Recorded = Pick<WhyFacts, 'check' | 'delivery' | 'mail' | 'revisions' | 'unreadable'>;

async function readRecords(
  { s3, bucket, now }: Bucket & { now: number },
  { page, parts }: AskedPage,
): Promise<Recorded> {
  const stores = {
    sealedPages: new SealedPages(s3, bucket),
    groupHeads: new GroupHeads(s3, bucket),
    snapshots: new SnapshotStore(s3, bucket),
    ledgers: new LedgerStore(s3, bucket),
  };
  try {
    const newest = await stores.snapshots.newestNumber(page);
    const hasParts = parts.some(({ revision }) => revision !== null);
    const records = await recordsOf(stores, page, newest, hasParts);
    const revisions = await revisionsOf({ s3, bucket }, stores.ledgers, page, newest ?? 0);
    const delivery = deliveryOf(page, records, now);
    return { check: records.check, mail: records.ledger, revisions, delivery, unreadable: null };
  } catch (error) {
    if (!isUnreadableObject(error)) throw error;
    const delivery = unreadableDelivery(page);
    return { check: undefined, mail: undefined, revisions: [], delivery, unreadable: error.message };
  }
}

async function revisionsOf(
  { s3, bucket }: Bucket,
  ledgers: LedgerStore,
  { owner, period, timeZone }: ExpectedPage,
  newest: number,
): Promise<RevisionFacts[]> {
  const first = Math.max(1, newest - MOST_REVISIONS + 1);
  const numbers = Array.from({ length: newest - first + 1 }, (_, index) => first + index);
  const read = await Promise.all(
    numbers.map(async (revision): Promise<RevisionFacts[]> => {
      const place = { owner, period, revision };
      const sealed = await sealedRevision(s3, bucket, place, timeZone);
      if (sealed === undefined) return [];
      return [{ ...sealed, ledger: (await ledgers.read(pageLedgerKey(place)))?.ledger }];
    }),
  );
  return read.flat();
}

async function stopsOf({ s3, bucket }: Bucket, hashes: ReadonlySet<string>): Promise<Map<string, StopFacts>> {
  const read = await Promise.all(
    [...hashes].map(async (hash): Promise<[string, StopFacts][]> => {
      const stop = await readStop(s3, bucket, hash);
      if (stop === undefined) return [];
      // A person may have written any text as the time.
      const at = stop.since !== null && Number.isFinite(Date.parse(stop.since)) ? stop.since : null;
      return [[hash, { reason: stop.reason, at }]];
    }),
  );
  return new Map(read.flat());
}
