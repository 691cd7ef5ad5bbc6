import type { S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { soFarUntil } from '#domain/day/so-far.ts';
import { groupTimes, dueGroupDays } from '#domain/period/group-times.ts';
import type { MemberClock } from '#domain/period/group-times.ts';
import { assertOver, daysOf, periodDays, periodKind, resolvePeriod } from '#domain/period/period.ts';
import type { Period } from '#domain/period/period.ts';
import { membersOf } from '#domain/registry/group-members.ts';
import { allGroups, groupSettings } from '#domain/registry/groups.ts';
import { allMerchants, merchantSettings } from '#domain/registry/merchants.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { statementSchema } from '#domain/statement/statement.ts';
import { dayPrefix, merchantDay, ownerPart, periodPrefix } from '#domain/storage/keys.ts';
import { askedPeriod, daysOfPeriod } from '#functions/statement/merchant/days-of-period.ts';
import { PageStore, SealedPages, unlessSpoilt } from '#page/page-store.ts';
import { SnapshotStore } from '#snapshots/snapshot-store.ts';
import type { PartFacts, StatementFacts, StatementClock } from './facts.ts';
import { gatherPages } from './gather-pages.ts';
import { duePeriods } from '#domain/period/due.ts';
import type { StatementTimes } from '#domain/period/due.ts';

const DAY = 24 * 60 * 60 * 1_000;
/** Days after the end of a period on which its statement is due at the latest. */
const LATEST_DUE = 40;

/**
 * When the statement of a week or month is due.
 *
 * @param to the last day of the period
 * @param now milliseconds UTC
 * @returns `null` when the times have none of its kind
 */
function statementClock(
  times: StatementTimes,
  period: Period,
  to: string,
  now: number,
): StatementClock | null {
  // A statement is due within a month of its last day. So at that time it is among the due ones.
  const then = Date.parse(to) + LATEST_DUE * DAY;
  const longer = { ...times, correctFor: Math.max(times.correctFor, 2 * LATEST_DUE * DAY) };
  const found = duePeriods(longer, then).find((due) => due.period === period);
  if (found === undefined) return null;
  const isNewest = duePeriods(longer, now).some((due) => due.period === period && due.isNewest);
  const { dueAt, deadline } = found;
  const issueUntil = isNewest ? null : found.issueUntil;
  return { dueAt, deadline, issueUntil, closedAt: Math.max(dueAt + times.correctFor, found.issueUntil) };
}

/** When a group's page of a day is due. It is not made again by itself, so it is closed when nobody looks for it any more. */
function groupDayClock(waitFor: number, clocks: readonly MemberClock[], day: Period): StatementClock | null {
  const then = Date.parse(day) + LATEST_DUE * DAY;
  const times = { waitFor, correctFor: 2 * LATEST_DUE * DAY };
  const found = dueGroupDays(times, clocks, then).find((due) => due.period === day);
  if (found === undefined) return null;
  const { dueAt, deadline } = found;
  return { dueAt, deadline, issueUntil: deadline + DAY, closedAt: deadline + DAY };
}

/** Manifests that are read at the same time. */
const READS_AT_ONCE = 16;

/** What is asked, and of which stage. */
export interface StatementQuestion {
  s3: S3Client;
  bucket: string;
  registry: Registry;
  /** A period, or `last-month`, `last-week` or `yesterday`. */
  wanted: string;
  /** Milliseconds UTC. */
  now: number;
}

/** Whether a group of the merchant has pages of this kind, so that the merchant's are made without a mail. */
function isAddedUp(registry: Registry, merchantCode: string, kind: 'weekly' | 'monthly'): boolean {
  return allGroups(registry).groups.some(
    (group) => group[kind] !== undefined && membersOf(group, registry).codes.includes(merchantCode),
  );
}

/**
 * Reads what the bucket has of a merchant's week or month.
 *
 * @throws {InvalidPeriodError} when it is no period, or is not over yet
 */
export async function gatherStatement(
  question: StatementQuestion,
  merchantCode: string,
): Promise<StatementFacts> {
  const { s3, bucket, registry, wanted, now } = question;
  const settings = merchantSettings(registry, merchantCode);
  const { name, timeZone, weekStart, statements: times, recipients, reportFrom = '' } = settings;
  const owner = { merchantCode };
  const statements = new PageStore(s3, bucket, statementSchema);
  const period = await askedPeriod(statements, settings, wanted, now);
  const own = await unlessSpoilt(() => statements.newest({ owner, period }));
  const { from, to } = await daysOfPeriod(statements, { settings, period, own, now });
  assertOver(period, { from, to }, { now, timeZone });
  const snapshots = new SnapshotStore(s3, bucket);
  const days = daysOf({ from, to }).filter((day) => day >= reportFrom);
  const parts = await pLimit(READS_AT_ONCE).map(days, async (day): Promise<PartFacts> => {
    const page = await snapshots.newest(merchantDay(merchantCode, day));
    // A page that ends before its day was over is not the day's.
    if (page === undefined || soFarUntil(page, timeZone) !== null)
      return { name: day, revision: null, good: null };
    return { name: day, revision: page.revision, good: page.balanced };
  });
  const kind = periodKind(period) === 'week' ? 'weekly' : 'monthly';
  return {
    owner,
    name,
    period,
    from,
    to,
    timeZone,
    recipients,
    now,
    clock: times === undefined ? null : statementClock({ timeZone, weekStart, ...times }, period, to, now),
    isForGroup: times?.[kind] === undefined && isAddedUp(registry, merchantCode, kind),
    parts,
    ...(await gatherPages(question, { owner, period, recipients })),
  };
}

/** The newest sealed revision of each merchant of a group: of its day, or of its week or month. */
async function revisionsOf(
  { s3, bucket }: StatementQuestion,
  period: Period,
): Promise<(merchantCode: string) => number | undefined> {
  const prefix = periodKind(period) === 'day' ? dayPrefix(period) : periodPrefix(period);
  const sealed = await new SealedPages(s3, bucket).newestRevisions(prefix);
  return (merchantCode) => sealed.get(ownerPart({ merchantCode }));
}

/**
 * Reads what the bucket has of a group's page.
 *
 * @throws {InvalidPeriodError} when it is no period, or is not over yet
 */
export async function gatherGroupPage(question: StatementQuestion, group: string): Promise<StatementFacts> {
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
  const owner = { group };
  const revisionOf = await revisionsOf(question, period);
  const clockOfDay = () => (daily ? groupDayClock(waitFor, members, period) : null);
  return {
    owner,
    name: group,
    period,
    from,
    to,
    timeZone,
    recipients,
    now,
    clock: periodKind(period) === 'day' ? clockOfDay() : statementClock(times, period, to, now),
    isForGroup: false,
    parts: codes.map((name) => ({ name, revision: revisionOf(name) ?? null, good: null })),
    ...(await gatherPages(question, { owner, period, recipients })),
  };
}
