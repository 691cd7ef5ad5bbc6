import type { S3Client } from '@aws-sdk/client-s3';
import { isUnreadableObject } from '#aws/unreadable-object.ts';
import { addDays, instantOf } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { soFarUntil } from '#domain/day/so-far.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import { merchantSettings } from '#domain/registry/merchants.ts';
import { InvalidMerchantError, UnknownMerchantError } from '#domain/registry/registry-errors.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { addressHash, ownerPart, pageLedgerKey } from '#domain/storage/keys.ts';
import { deliveryOf, unreadableDelivery } from '#functions/delivery-watch/delivery.ts';
import type { Delivery, ExpectedPage, PageRecords } from '#functions/delivery-watch/delivery.ts';
import { expectedReport } from '#functions/delivery-watch/expected-reports.ts';
import { GroupHeads } from '#functions/delivery-watch/group-heads.ts';
import { recordsOf } from '#functions/delivery-watch/look-at-pages.ts';
import type { RecordStores } from '#functions/delivery-watch/look-at-pages.ts';
import { NotifiedStore } from '#functions/delivery-watch/notified.ts';
import { reportClock } from '#functions/delivery-watch/report-clock.ts';
import type { ReportClock } from '#functions/delivery-watch/report-clock.ts';
import { codeInEntry } from '#domain/registry/merchant-codes.ts';
import { LedgerStore } from '#mailing/ledger-store.ts';
import { SealedPages } from '#page/page-store.ts';
import { SnapshotStore } from '#snapshots/snapshot-store.ts';
import type { AskedAddress, EntryFacts, RevisionFacts, StopFacts, WhyFacts } from './facts.ts';
import { gatherPlan } from './gather-plan.ts';
import { readStop } from '../suppression/stops.ts';

/** The most revisions that are looked at, the newest ones. */
const MOST_REVISIONS = 20;
const MINUTE = 60_000;

/** What is asked, and of which stage. */
export interface WhyQuestion {
  s3: S3Client;
  bucket: string;
  registry: Registry;
  merchantCode: string;
  day: (timeZone: string) => Day;
  address: AskedAddress | undefined;
  /** Milliseconds UTC. */
  now: number;
  /** Minutes after its hour until which the watch waits for a report. */
  deadlineMinutes: number;
}

/** The merchant's entry, and when its reports are due. An entry that cannot be used gives what can be read of it. */
function merchantFacts(registry: Registry, merchantCode: string): { entry: EntryFacts; clock: ReportClock } {
  try {
    const settings: MerchantSettings = merchantSettings(registry, merchantCode);
    const { name, recipients } = settings;
    return { entry: { is: 'usable', name, recipients }, clock: settings };
  } catch (error) {
    if (error instanceof UnknownMerchantError) {
      return { entry: { is: 'gone' }, clock: reportClock(registry, undefined) };
    }
    if (!(error instanceof InvalidMerchantError)) throw error;
    const own = registry.merchants.find((entry) => codeInEntry(entry) === merchantCode);
    return { entry: { is: 'not usable', problem: error.message }, clock: reportClock(registry, own) };
  }
}

async function stopsOf(
  { s3, bucket }: WhyQuestion,
  hashes: ReadonlySet<string>,
): Promise<Map<string, StopFacts>> {
  const read = await Promise.all(
    [...hashes].map(async (hash): Promise<[string, StopFacts] | undefined> => {
      const stop = await readStop(s3, bucket, hash);
      if (stop === undefined) return undefined;
      // A person may have written any text as the time.
      const at = stop.since !== null && Number.isFinite(Date.parse(stop.since)) ? stop.since : null;
      return [hash, { reason: stop.reason, at }];
    }),
  );
  return new Map(read.filter((found) => found !== undefined));
}

/** Reads what the bucket has of a merchant's day, with the stores of the functions. */
export async function gatherFacts(question: WhyQuestion): Promise<WhyFacts> {
  const { s3, bucket, registry, merchantCode, now, deadlineMinutes } = question;
  const { entry, clock } = merchantFacts(registry, merchantCode);
  const { timeZone, reportAt, reportFrom } = clock;
  const day = question.day(timeZone);
  const dueAt = instantOf(addDays(day, 1), reportAt, timeZone);
  const deadlineAt = dueAt + deadlineMinutes * MINUTE;
  const recipients = entry.is === 'usable' ? entry.recipients : [];
  const name = entry.is === 'usable' ? entry.name : null;
  const who = { owner: { merchantCode }, name, entry: entry.is, recipients };
  const report = expectedReport(who, { day, isDue: deadlineAt <= now }, timeZone);
  const stores = {
    sealedPages: new SealedPages(s3, bucket),
    groupHeads: new GroupHeads(s3, bucket),
    snapshots: new SnapshotStore(s3, bucket),
    ledgers: new LedgerStore(s3, bucket),
  };
  const { records, delivery, revisions, unreadable } = await readRecords(stores, report, now);
  const hashes = new Set([
    ...recipients.map(addressHash),
    ...revisions.flatMap(({ ledger }) => ledger?.recipients.map(({ to }) => to) ?? []),
    ...(question.address === undefined ? [] : [question.address.hash]),
  ]);
  const [stops, plan, notified] = await Promise.all([
    stopsOf(question, hashes),
    gatherPlan(s3, bucket, { merchantCode, day, dueAt }),
    new NotifiedStore(s3, bucket, 'reports', () => undefined).read(day),
  ]);
  return {
    merchantCode,
    day,
    timeZone,
    now,
    dueAt,
    deadlineAt,
    reportFrom,
    entry,
    plan,
    check: records?.check,
    revisions,
    mail: records?.ledger,
    delivery,
    stops,
    wasNotified: notified.told.has(ownerPart({ merchantCode })),
    unreadable,
  };
}

type Stores = RecordStores & { snapshots: SnapshotStore };

interface Recorded {
  records: PageRecords | undefined;
  delivery: Delivery;
  revisions: RevisionFacts[];
  unreadable: string | null;
}

async function readRecords(stores: Stores, report: ExpectedPage, now: number): Promise<Recorded> {
  try {
    const newest = await stores.snapshots.newestNumber(report);
    const records = await recordsOf(stores, report, newest, false);
    const revisions = await revisionsOf(stores, report, newest ?? 0);
    return { records, delivery: deliveryOf(report, records, now), revisions, unreadable: null };
  } catch (error) {
    if (!isUnreadableObject(error)) throw error;
    const delivery = unreadableDelivery(report);
    return { records: undefined, delivery, revisions: [], unreadable: error.message };
  }
}

async function revisionsOf(
  { snapshots, ledgers }: Stores,
  { owner, period, timeZone }: ExpectedPage,
  newest: number,
): Promise<RevisionFacts[]> {
  const first = Math.max(1, newest - MOST_REVISIONS + 1);
  const numbers = Array.from({ length: newest - first + 1 }, (_, index) => first + index);
  const read = await Promise.all(
    numbers.map(async (revision): Promise<RevisionFacts | undefined> => {
      const place = { owner, period, revision };
      const manifest = await snapshots.revision(place);
      if (manifest === undefined) return undefined;
      const ledger: Ledger | undefined = (await ledgers.read(pageLedgerKey(place)))?.ledger;
      const { pulledAt, balanced, counts } = manifest;
      return {
        revision,
        pulledAt,
        balanced,
        soFarUntil: soFarUntil(manifest, timeZone),
        invoices: counts.total,
        ledger,
      };
    }),
  );
  return read.filter((revision) => revision !== undefined);
}
