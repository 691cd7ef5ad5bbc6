import { isUnreadableObject } from '#runtime/s3-objects.ts';
import { addressHash, isMerchantDay, ownerPart, pageLedgerKey } from '#records/storage/keys.ts';
import { deliveryOf, unreadableDelivery } from '#watch/delivery-watch/delivery.ts';
import type { ExpectedPage } from '#watch/delivery-watch/delivery.ts';
import { GroupHeads, recordsOf } from '#watch/delivery-watch/look-at-pages.ts';
import { NotifiedStore } from '#watch/delivery-watch/notified.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import { SealedPages } from '#page/page-store.ts';
import { SnapshotStore } from '#page/snapshot-store.ts';
import { sealedRevision } from '../stage/sealed-revision.ts';
import { readStop } from '../suppression/stops.ts';
import { askedPage } from './asked-page.ts';
import type { AskedOwner, WhyQuestion } from './asked-page.ts';
import type { AskedAddress, AskedPage, QueueFacts, RevisionFacts, StopFacts, WhyFacts } from './facts.ts';
import type { PageId } from '#records/storage/keys.ts';
import { TickStore } from '#functions/plan/tick-store.ts';
import { isForbidden } from '../stage/aws-complaint.ts';
import type { DeadLetter, StageQueues } from '../stage/stage-queues.ts';

/** The queues in which a page's message can be. */
const PAGE_QUEUES = ['reports', 'backfills'] as const;

async function gatherQueues({ s3, bucket, queues }: WhyQuestion, page: PageId): Promise<QueueFacts> {
  const [last, waiting, letters] = await Promise.all([
    new TickStore(s3, bucket).last(),
    queues.left('reports'),
    lettersOf(queues),
  ]);
  const putAside =
    letters === 'hidden' ? letters : (letters.findLast((letter) => isAbout(letter, page)) ?? null);
  return { lastTick: last.is === 'known' ? last.tick : null, waiting, putAside };
}

async function lettersOf(queues: StageQueues): Promise<DeadLetter[] | 'hidden'> {
  try {
    return (await Promise.all(PAGE_QUEUES.map((name) => queues.deadLetters(name)))).flat();
  } catch (error) {
    if (isForbidden(error)) return 'hidden';
    throw error;
  }
}

function isAbout({ message, failed }: DeadLetter, { owner, period }: PageId): boolean {
  if (message === undefined || message.merchantCode !== owner.merchantCode) return false;
  if ('days' in message) return failed.some(({ day }) => day === period);
  return message.period === period && message.group === owner.group;
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
  const { page } = asked;
  const found = await readRecords(question, asked);
  const hashes = new Set([
    ...page.recipients.map(addressHash),
    ...found.revisions.flatMap(({ ledger }) => ledger?.recipients.map(({ to }) => to) ?? []),
    ...(address === undefined ? [] : [address.hash]),
  ]);
  const watched = isMerchantDay(page) ? 'reports' : 'statements';
  const [stops, queues, notified] = await Promise.all([
    stopsOf(question, hashes),
    gatherQueues(question, page),
    new NotifiedStore(s3, bucket, watched, () => undefined).read(page.period),
  ]);
  return { ...asked, ...found, now, queues, stops, wasNotified: notified.told.has(ownerPart(page.owner)) };
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
