import pLimit from 'p-limit';
import { addDays, instantOf } from '#records/day/business-day.ts';
import { soFarUntil } from '#records/revision/manifest.ts';
import { closesAt, duePeriods, dueGroupDays, groupTimes, lookedAtUntil } from '#records/period/due.ts';
import type { StatementTimes, MemberClock } from '#records/period/due.ts';
import { assertOver, daysOf, periodDays, periodKind, resolvePeriod } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import { membersOf, allGroups, groupSettings } from '#registry/groups.ts';
import { codeInEntry, codesInEntries, type Registry } from '#registry/registry.ts';
import { allMerchants, merchantSettings } from '#registry/merchants.ts';
import { InvalidMerchantError, UnknownMerchantError } from '#registry/registry-errors.ts';
import { statementSchema } from '#page/figures/statement.ts';
import {
  dayPrefix,
  merchantDay,
  ownerPart,
  periodPrefix,
  addressHash,
  isMerchantDay,
  pageLedgerKey,
} from '#records/storage/keys.ts';
import { expectedReport, reportClock } from '#watch/delivery-watch/expected-pages.ts';
import { askedPeriod, daysOfPeriod } from '#page/statement/gather-period.ts';
import { PageStore, SealedPages, unlessSpoilt } from '#page/page-store.ts';
import { DayStore } from '#page/day-store.ts';
import { askedDay } from '../stage/known-names.ts';
import type { Stage } from '../stage/stage.ts';
import { StageQueues, type DeadLetter } from '../stage/stage-queues.ts';
import type {
  AskedPage,
  PageClock,
  PartFacts,
  QueueFacts,
  RevisionFacts,
  StopFacts,
  WhyFacts,
} from './verdict.ts';
import { isUnreadableObject } from '#runtime/s3-objects.ts';
import { deliveryOf, unreadableDelivery } from '#watch/delivery-watch/delivery.ts';
import { recordsOf } from '#watch/delivery-watch/look-at-pages.ts';
import { NotifiedStore } from '#watch/delivery-watch/notified.ts';
import { recordStores, sealedRevision } from '../stage/sealed-revision.ts';
import { Stops } from '../suppression/stops.ts';
import type { PageId } from '#records/storage/keys.ts';
import { mailsOfLedger } from '#records/storage/readers-stop.ts';
import { TickStore } from '#functions/plan/tick-store.ts';
import { isForbidden } from '../stage/aws-complaint.ts';

interface WhyQuestion {
  stage: Stage;
  registry: Registry;
  /** A period or day, `last-month`, `last-week`, `yesterday`, or of a merchant `today`. */
  wanted: string;
  /** Milliseconds UTC. */
  now: number;
  /** Milliseconds after its deadline until which the watch waits for a page. */
  margin: number;
}

const DAY = 24 * 60 * 60 * 1_000;
/** Days after the end of a period on which its page is due at the latest. */
const LATEST_DUE = 40;
const READS_AT_ONCE = 16;

/** What most pages have not. */
const PLAIN = { problem: null, reportFrom: undefined, isForGroup: false, pulledAgainAt: [], parts: [] };

/** A merchant's day. An entry that cannot be used gives what can be read of it. */
function askedReport({ registry, wanted, now, margin }: WhyQuestion, merchantCode: string): AskedPage {
  const { who, problem, timeZone, reportAt, reportFrom, lookbackDays } = merchantEntry(
    registry,
    merchantCode,
  );
  const day = askedDay(wanted, now)(timeZone);
  const dueAt = instantOf(addDays(day, 1), reportAt, timeZone);
  const watchedAt = dueAt + margin;
  return {
    ...PLAIN,
    page: expectedReport({ ...who, owner: { merchantCode } }, { day, isDue: watchedAt <= now }, timeZone),
    clock: { dueAt, deadline: dueAt, watchedAt, issueUntil: null, followedUntil: dueAt },
    problem,
    reportFrom,
    pulledAgainAt: lookbackDays
      .map((back) => instantOf(addDays(day, back + 1), reportAt, timeZone))
      .filter((at) => at > now)
      .sort((one, other) => one - other),
  };
}

function merchantEntry(registry: Registry, merchantCode: string) {
  const nobody = { name: null, recipients: [] };
  try {
    const { name, recipients, ...clock } = merchantSettings(registry, merchantCode);
    return { who: { name, recipients, entry: 'usable' as const }, problem: null, ...clock };
  } catch (error) {
    if (!(error instanceof UnknownMerchantError) && !(error instanceof InvalidMerchantError)) throw error;
    const isGone = error instanceof UnknownMerchantError;
    const own = registry.merchants.find((entry) => codeInEntry(entry) === merchantCode);
    const who = { ...nobody, entry: isGone ? ('gone' as const) : ('not usable' as const) };
    const problem = isGone ? null : error.message;
    return { who, problem, lookbackDays: [], ...reportClock(registry, own) };
  }
}

async function askedStatement(question: WhyQuestion, merchantCode: string): Promise<AskedPage> {
  const { stage, registry, wanted, now } = question;
  const [s3, { bucket }] = [stage.s3(), stage];
  const isGone = !codesInEntries(registry).has(merchantCode);
  // A merchant that was removed has the settings of the defaults.
  const entries = isGone ? { ...registry, merchants: [{ merchantCode }] } : registry;
  const settings = merchantSettings(entries, merchantCode);
  const { timeZone, weekStart, recipients, reportFrom } = settings;
  const times = isGone ? undefined : settings.statements;
  const owner = { merchantCode };
  const statements = new PageStore(s3, bucket, statementSchema);
  const period = await askedPeriod(statements, settings, wanted, now);
  const own = await unlessSpoilt(() => statements.newest({ owner, period }));
  const { from, to } = await daysOfPeriod(statements, { settings, period, own, now });
  assertOver(period, { from, to }, { now, timeZone });
  const snapshots = new DayStore(s3, bucket);
  const days = daysOf({ from, to }).filter((day) => day >= (reportFrom ?? ''));
  const parts = await pLimit(READS_AT_ONCE).map(days, async (day): Promise<PartFacts> => {
    const page = await snapshots.newest(merchantDay(merchantCode, day));
    // A page that ends before its day was over is not the day's.
    if (page === undefined || soFarUntil(page, timeZone) !== null)
      return { name: day, revision: null, good: null };
    return { name: day, revision: page.revision, good: page.balanced };
  });
  const kind = periodKind(period) === 'week' ? 'weekly' : 'monthly';
  const clock = times ? periodClock({ timeZone, weekStart, ...times }, period, to, question) : null;
  const entry = isGone ? ('gone' as const) : ('usable' as const);
  const who = { owner, name: isGone ? null : settings.name, timeZone, recipients, entry, members: null };
  // A group of the merchant has pages of this kind, so the merchant's are made without a mail.
  const isAddedUp = allGroups(registry).groups.some(
    (group) => group[kind] !== undefined && membersOf(group, registry).codes.includes(merchantCode),
  );
  return {
    ...PLAIN,
    page: { ...who, period, from, to, isDue: isDue(clock, now), isRecent: true },
    clock,
    reportFrom,
    isForGroup: times?.[kind] === undefined && isAddedUp,
    parts,
  };
}

function isDue(clock: PageClock | null, now: number): boolean {
  return clock !== null && clock.watchedAt <= now;
}

/** When a week's or month's page is due; `to` is its last day. `null` when the times have none of its kind. */
function periodClock(
  times: StatementTimes,
  period: Period,
  to: string,
  { now, margin }: WhyQuestion,
): PageClock | null {
  // A statement is due within a month of its last day. So at that time it is among the due ones.
  const then = Date.parse(to) + LATEST_DUE * DAY;
  const longer = { ...times, correctFor: Math.max(times.correctFor, 2 * LATEST_DUE * DAY) };
  const found = duePeriods(longer, then).find((due) => due.period === period);
  if (found === undefined) return null;
  const isNewest = duePeriods(longer, now).some((due) => due.period === period && due.isNewest);
  const { dueAt, deadline, issueUntil } = found;
  return {
    dueAt,
    deadline,
    watchedAt: deadline + margin,
    issueUntil: isNewest ? null : issueUntil,
    followedUntil: lookedAtUntil(found, times),
    closesAt: closesAt({ to }, times),
  };
}

async function askedGroupPage(question: WhyQuestion, group: string): Promise<AskedPage> {
  const { stage, registry, wanted, now } = question;
  const settings = groupSettings(registry, group);
  const { timeZone, recipients, waitFor, daily } = settings;
  const usable = new Map(allMerchants(registry).merchants.map((one) => [one.merchantCode, one]));
  const { codes } = membersOf(settings, registry);
  const members = codes.flatMap((code) => usable.get(code) ?? []);
  const times = groupTimes(settings, new Set(members.map(({ weekStart }) => weekStart)));
  const { weekStart } = times;
  const period = resolvePeriod(wanted, { now, timeZone, weekStart });
  const { from, to } = periodDays(period, weekStart);
  const isOfDay = periodKind(period) === 'day';
  const prefix = isOfDay ? dayPrefix(period) : periodPrefix(period);
  const sealed = await new SealedPages(stage.s3(), stage.bucket).newestRevisions(prefix);
  const clockOfDay = () => (daily ? groupDayClock(waitFor, members, period, question) : null);
  const clock = isOfDay ? clockOfDay() : periodClock(times, period, to, question);
  const who = { owner: { group }, name: null, timeZone, recipients, entry: 'usable' as const };
  const revisionOf = (code: string) => sealed.get(ownerPart({ merchantCode: code })) ?? null;
  return {
    ...PLAIN,
    page: { ...who, period, from, to, members: codes, isDue: isDue(clock, now), isRecent: true },
    clock,
    parts: codes.map((name) => ({ name, revision: revisionOf(name), good: null })),
  };
}

/** When a group's page of a day is due. It is not made again by itself, so it is closed when nobody looks for it any more. */
function groupDayClock(
  waitFor: number,
  clocks: readonly MemberClock[],
  day: Period,
  { margin }: WhyQuestion,
): PageClock | null {
  const then = Date.parse(day) + LATEST_DUE * DAY;
  const times = { waitFor, correctFor: 2 * LATEST_DUE * DAY };
  const found = dueGroupDays(times, clocks, then).find((due) => due.period === day);
  if (found === undefined) return null;
  const { dueAt, deadline } = found;
  const followedUntil = deadline + DAY;
  return { dueAt, deadline, watchedAt: deadline + margin, issueUntil: followedUntil, followedUntil };
}

/** Whose page is asked for: a merchant's day, a merchant's week or month, or a group's page. */
export type AskedOwner = { group: string } | { merchantCode: string; isDay: boolean };

/** The queues in which a page's message can be. */
const PAGE_QUEUES = ['reports', 'backfills'] as const;

async function gatherQueues(stage: Stage, page: PageId): Promise<QueueFacts> {
  const queues = new StageQueues(stage);
  const [last, counts, letters] = await Promise.all([
    new TickStore(stage.s3(), stage.bucket).last(),
    queues.counts(PAGE_QUEUES),
    Promise.all(PAGE_QUEUES.map((name) => queues.deadLetters(name))).catch((error: unknown) => {
      if (isForbidden(error)) return 'hidden' as const;
      throw error;
    }),
  ]);
  const putAside =
    letters === 'hidden' ? letters : (letters.flat().findLast((letter) => isAbout(letter, page)) ?? null);
  return { lastTick: last.is === 'known' ? last.tick : null, counts, putAside };
}

function isAbout({ message, failed }: DeadLetter, { owner, period }: PageId): boolean {
  if (message === undefined || message.merchantCode !== owner.merchantCode) return false;
  if ('days' in message) return failed.some(({ day }) => day === period);
  return message.period === period && message.group === owner.group;
}

/**
 * Reads what the bucket has of a page, with the stores of the functions.
 *
 * @param address the one that is asked for, if one is
 * @throws {InvalidPeriodError} when it is no period, or is not over yet
 * @throws {UsageError} when it is no day
 */
export async function gatherFacts(
  question: WhyQuestion,
  owner: AskedOwner,
  address: string | undefined,
): Promise<WhyFacts> {
  const { stage, now } = question;
  const asked =
    'group' in owner
      ? await askedGroupPage(question, owner.group)
      : await (owner.isDay ? askedReport : askedStatement)(question, owner.merchantCode);
  const { page } = asked;
  const found = await readRecords(stage, asked, now);
  const hashes = new Set([
    ...page.recipients.map(addressHash),
    ...found.revisions.flatMap(({ ledger }) => ledger?.recipients.map(({ to }) => to) ?? []),
    ...(address === undefined ? [] : [addressHash(address)]),
  ]);
  const watched = isMerchantDay(page) ? 'reports' : 'statements';
  const [stops, queues, notified] = await Promise.all([
    stopsOf(stage, page, hashes),
    gatherQueues(stage, page),
    new NotifiedStore(stage.s3(), stage.bucket, watched, () => undefined).read(page.period),
  ]);
  const wasNotified = notified.told.has(ownerPart(page.owner));
  return { ...asked, ...found, now, isLocal: stage.isLocal, queues, stops, wasNotified };
}

const MOST_REVISIONS = 20;

async function readRecords(stage: Stage, { page, parts }: AskedPage, now: number) {
  const [s3, { bucket }] = [stage.s3(), stage];
  const stores = recordStores(s3, bucket);
  const { owner, period, timeZone } = page;
  const readRevision = async (revision: number): Promise<RevisionFacts[]> => {
    const place = { owner, period, revision };
    const sealed = await sealedRevision(s3, bucket, place, timeZone);
    if (sealed === undefined) return [];
    return [{ ...sealed, ledger: (await stores.ledgers.read(pageLedgerKey(place)))?.ledger }];
  };
  try {
    const newest = await stores.snapshots.newestNumber(page);
    const hasParts = parts.some(({ revision }) => revision !== null);
    const records = await recordsOf(stores, page, newest, hasParts);
    const numbers = Array.from({ length: newest ?? 0 }, (_, index) => index + 1).slice(-MOST_REVISIONS);
    const revisions = (await Promise.all(numbers.map(readRevision))).flat();
    const delivery = deliveryOf(page, records, now);
    return { check: records.check, mail: records.ledger, revisions, delivery, unreadable: null };
  } catch (error) {
    if (!isUnreadableObject(error)) throw error;
    const delivery = unreadableDelivery(page);
    return { check: undefined, mail: undefined, revisions: [], delivery, unreadable: error.message };
  }
}

async function stopsOf(stage: Stage, page: PageId, hashes: ReadonlySet<string>) {
  const stops = new Stops(stage.s3(), stage.bucket);
  const of = mailsOfLedger(pageLedgerKey({ ...page, revision: 1 })) ?? null;
  const read = [...hashes].map(async (hash): Promise<[string, StopFacts][]> => {
    const stop = (await stops.find({ hash, of: null })) ?? (await stops.find({ hash, of }));
    if (stop === undefined) return [];
    // A person may have written any text as the time.
    const at = stop.since !== null && Number.isFinite(Date.parse(stop.since)) ? stop.since : null;
    return [[hash, { reason: stop.reason, byReader: stop.of !== null, at }]];
  });
  return new Map((await Promise.all(read)).flat());
}
