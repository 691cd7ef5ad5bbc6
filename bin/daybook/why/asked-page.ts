import type { S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { addDays, instantOf } from '#records/day/business-day.ts';
import { soFarUntil } from '#records/revision/manifest.ts';
import { duePeriods, dueGroupDays, groupTimes } from '#records/period/due.ts';
import type { StatementTimes, MemberClock } from '#records/period/due.ts';
import { assertOver, daysOf, periodDays, periodKind, resolvePeriod } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import { membersOf, allGroups, groupSettings } from '#registry/groups.ts';
import { codeInEntry } from '#registry/registry.ts';
import { allMerchants, merchantSettings } from '#registry/merchants.ts';
import { InvalidMerchantError, UnknownMerchantError } from '#registry/registry-errors.ts';
import type { Registry } from '#registry/registry.ts';
import { statementSchema } from '#page/figures/statement.ts';
import { dayPrefix, merchantDay, ownerPart, periodPrefix } from '#records/storage/keys.ts';
import { expectedReport, reportClock } from '#watch/delivery-watch/expected-pages.ts';
import { askedPeriod, daysOfPeriod } from '#page/statement/merchant/gather-period.ts';
import { PageStore, SealedPages, unlessSpoilt } from '#page/page-store.ts';
import { SnapshotStore } from '#page/snapshot-store.ts';
import { askedDay } from '../status/asked-day.ts';
import type { StageQueues } from '../stage/stage-queues.ts';
import type { AskedPage, PageClock, PartFacts } from './facts.ts';

/** What is asked, and of which stage. */
export interface WhyQuestion {
  s3: S3Client;
  bucket: string;
  queues: StageQueues;
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

/** A merchant's day. An entry that cannot be used gives what can be read of it. */
function askedReport({ registry, wanted, now, margin }: WhyQuestion, merchantCode: string): AskedPage {
  const { who, problem, ...clock } = merchantEntry(registry, merchantCode);
  const { timeZone, reportAt, reportFrom } = clock;
  const day = askedDay(wanted, now)(timeZone);
  const dueAt = instantOf(addDays(day, 1), reportAt, timeZone);
  const watchedAt = dueAt + margin;
  return {
    page: expectedReport({ ...who, owner: { merchantCode } }, { day, isDue: watchedAt <= now }, timeZone),
    clock: { dueAt, deadline: dueAt, watchedAt, issueUntil: null, closedAt: dueAt },
    problem,
    reportFrom,
    isForGroup: false,
    parts: [],
  };
}

function merchantEntry(registry: Registry, merchantCode: string) {
  const nobody = { name: null, recipients: [] };
  try {
    const { name, recipients, ...clock } = merchantSettings(registry, merchantCode);
    return { who: { name, recipients, entry: 'usable' as const }, problem: null, ...clock };
  } catch (error) {
    if (error instanceof UnknownMerchantError) {
      const who = { ...nobody, entry: 'gone' as const };
      return { who, problem: null, ...reportClock(registry, undefined) };
    }
    if (!(error instanceof InvalidMerchantError)) throw error;
    const own = registry.merchants.find((entry) => codeInEntry(entry) === merchantCode);
    const who = { ...nobody, entry: 'not usable' as const };
    return { who, problem: error.message, ...reportClock(registry, own) };
  }
}

async function askedStatement(question: WhyQuestion, merchantCode: string): Promise<AskedPage> {
  const { s3, bucket, registry, wanted, now } = question;
  const settings = merchantSettings(registry, merchantCode);
  const { name, timeZone, weekStart, statements: times, recipients, reportFrom } = settings;
  const owner = { merchantCode };
  const statements = new PageStore(s3, bucket, statementSchema);
  const period = await askedPeriod(statements, settings, wanted, now);
  const own = await unlessSpoilt(() => statements.newest({ owner, period }));
  const { from, to } = await daysOfPeriod(statements, { settings, period, own, now });
  assertOver(period, { from, to }, { now, timeZone });
  const snapshots = new SnapshotStore(s3, bucket);
  const days = daysOf({ from, to }).filter((day) => day >= (reportFrom ?? ''));
  const parts = await pLimit(READS_AT_ONCE).map(days, async (day): Promise<PartFacts> => {
    const page = await snapshots.newest(merchantDay(merchantCode, day));
    // A page that ends before its day was over is not the day's.
    if (page === undefined || soFarUntil(page, timeZone) !== null)
      return { name: day, revision: null, good: null };
    return { name: day, revision: page.revision, good: page.balanced };
  });
  const kind = periodKind(period) === 'week' ? 'weekly' : 'monthly';
  const clock =
    times === undefined ? null : periodClock({ timeZone, weekStart, ...times }, period, to, question);
  const who = { owner, name, timeZone, recipients, entry: 'usable' as const, members: null };
  return {
    page: { ...who, period, from, to, isDue: isDue(clock, now), isRecent: true },
    clock,
    problem: null,
    reportFrom,
    isForGroup: times?.[kind] === undefined && isAddedUp(registry, merchantCode, kind),
    parts,
  };
}

function isDue(clock: PageClock | null, now: number): boolean {
  return clock !== null && clock.watchedAt <= now;
}

/** Whether a group of the merchant has pages of this kind, so that the merchant's are made without a mail. */
function isAddedUp(registry: Registry, merchantCode: string, kind: 'weekly' | 'monthly'): boolean {
  return allGroups(registry).groups.some(
    (group) => group[kind] !== undefined && membersOf(group, registry).codes.includes(merchantCode),
  );
}

/**
 * When the page of a week or month is due.
 *
 * @param to the last day of the period
 * @returns `null` when the times have none of its kind
 */
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
    closedAt: Math.max(dueAt + times.correctFor, issueUntil),
  };
}

async function askedGroupPage(question: WhyQuestion, group: string): Promise<AskedPage> {
  const { registry, wanted, now } = question;
  const settings = groupSettings(registry, group);
  const { timeZone, recipients, waitFor, daily } = settings;
  const usable = new Map(allMerchants(registry).merchants.map((one) => [one.merchantCode, one]));
  const { codes } = membersOf(settings, registry);
  const members = codes.flatMap((code) => usable.get(code) ?? []);
  const times = groupTimes(settings, new Set(members.map(({ weekStart }) => weekStart)));
  const { weekStart } = times;
  const period = resolvePeriod(wanted, { now, timeZone, weekStart });
  const { from, to } = periodDays(period, weekStart);
  const revisionOf = await revisionsOf(question, period);
  const clockOfDay = () => (daily ? groupDayClock(waitFor, members, period, question) : null);
  const clock = periodKind(period) === 'day' ? clockOfDay() : periodClock(times, period, to, question);
  const who = { owner: { group }, name: null, timeZone, recipients, entry: 'usable' as const };
  return {
    page: { ...who, period, from, to, members: codes, isDue: isDue(clock, now), isRecent: true },
    clock,
    problem: null,
    reportFrom: undefined,
    isForGroup: false,
    parts: codes.map((name) => ({ name, revision: revisionOf(name) ?? null, good: null })),
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
  const closedAt = deadline + DAY;
  return { dueAt, deadline, watchedAt: deadline + margin, issueUntil: closedAt, closedAt };
}

/** The newest sealed revision of each merchant of a group: of its day, or of its week or month. */
async function revisionsOf(
  { s3, bucket }: WhyQuestion,
  period: Period,
): Promise<(merchantCode: string) => number | undefined> {
  const prefix = periodKind(period) === 'day' ? dayPrefix(period) : periodPrefix(period);
  const sealed = await new SealedPages(s3, bucket).newestRevisions(prefix);
  return (merchantCode) => sealed.get(ownerPart({ merchantCode }));
}

/** Whose page is asked for: a merchant's day, a merchant's week or month, or a group's page. */
export type AskedOwner = { group: string } | { merchantCode: string; isDay: boolean };

/**
 * The page that is asked for, with the parts of it that are sealed.
 *
 * @throws {InvalidPeriodError} when it is no period, or is not over yet
 * @throws {UsageError} when it is no day, or has not begun
 * @throws {InvalidMerchantError} when the entry of a statement's merchant cannot be used
 */
export async function askedPage(question: WhyQuestion, asked: AskedOwner): Promise<AskedPage> {
  if ('group' in asked) return askedGroupPage(question, asked.group);
  const { merchantCode, isDay } = asked;
  return isDay ? askedReport(question, merchantCode) : askedStatement(question, merchantCode);
}
