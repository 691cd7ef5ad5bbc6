import type { Handler } from '#runtime/lambda-handler.ts';
import * as z from 'zod';
import { dayAt, isDay } from '#records/day/business-day.ts';
import { CLOCKS_DIFFER } from '#records/ledger/alert-state.ts';
import { InvalidEventError, readEvent } from '#records/errors/invalid-event.ts';
import { OpsNotToldError } from '#records/errors/daybook-error.ts';
import type { Registry } from '#registry/registry.ts';
import { ownerPart } from '#records/storage/keys.ts';
import { troubleOf } from './delivery.ts';
import type { Delivery, ExpectedPage } from './delivery.ts';
import type { Dependencies } from './dependencies.ts';
import { dueDays, expectedReports, expectedStatements } from './expected-pages.ts';
import { lookAtPages } from './look-at-pages.ts';
import type { Look } from './look-at-pages.ts';
import {
  isWellAgain,
  isWorseThanNotified,
  mayStillCome,
  nothingNotified,
  withAllClear,
  withNotified,
} from './notified.ts';
import type { Notified, Watched } from './notified.ts';
import { allClearNotice, watchNotice } from './watch-notice.ts';

function merchantDay({ owner, period }: Delivery) {
  return { merchantCode: owner.merchantCode ?? '', day: period };
}

function ofPeriod({ owner, period }: Delivery) {
  return owner.merchantCode === undefined
    ? { group: owner.group, period }
    : { merchantCode: owner.merchantCode, period };
}

function answerOf<Named>(looked: readonly Delivery[], named: (one: Delivery) => Named) {
  const those = (matches: (one: Delivery) => boolean) => looked.filter(matches).map(named);
  const missing = looked.flatMap((one) =>
    one.missing === null ? [] : [{ ...named(one), reason: one.missing }],
  );
  return {
    expected: looked.length,
    delivered: looked.length - missing.length,
    missing,
    /** Delivered when their mail arrived. */
    notGood: those(({ isGood }) => !isGood),
    held: those(({ mail }) => mail === 'held'),
    /** Delivered, to nobody: every recipient stopped these mails. */
    stoppedByReaders: those(({ mail }) => mail === 'stopped by readers'),
  };
}

function reportsAnswer(looked: readonly Delivery[]) {
  const { notGood: unbalanced, ...answer } = answerOf(looked, merchantDay);
  return { ...answer, unbalanced };
}

function statementsAnswer(looked: readonly Delivery[]) {
  const counted = looked.filter(({ counts }) => counts);
  const { notGood: provisional, held: _held, ...answer } = answerOf(counted, ofPeriod);
  return { ...answer, provisional };
}

/** docs/interfaces.md, 4.4 delivery-watch. */
export type WatchAnswer = ReturnType<typeof reportsAnswer> & {
  statements: ReturnType<typeof statementsAnswer>;
};

export const eventSchema = z.lazy(() =>
  z.strictObject({
    day: z.string().refine(isDay, 'is not a date (YYYY-MM-DD)').optional(),
    now: z.iso.datetime({ offset: true }).optional(),
  }),
);

const EARLIEST_ZONE = 'Etc/GMT-14';

/**
 * Reads the event (docs/interfaces.md, 4.4 delivery-watch).
 * @param clock milliseconds UTC
 * @throws {InvalidEventError} names the wrong member, or a day that has not begun anywhere
 */
export function readWatchEvent(event: unknown, clock: () => number) {
  const { day, now: asked } = readEvent(eventSchema, event ?? {});
  const now = asked === undefined ? clock() : Date.parse(asked);
  if (day !== undefined && day > dayAt(now, EARLIEST_ZONE)) {
    throw new InvalidEventError('day', 'has not begun anywhere yet');
  }
  // What is missing at a time in the future is not yet missing.
  return { day, now, isAhead: now > clock() + CLOCKS_DIFFER };
}
type WatchQuestion = ReturnType<typeof readWatchEvent>;

/** S3 takes thousands of reads a second, and the client has fifty connections. */
const CONCURRENCY = 40;
const MINUTE = 60_000;

interface WatchedPages {
  of: Watched;
  looked: readonly Delivery[];
  notified: readonly Notified[];
  isExpected: (owner: string) => boolean;
}

/** Builds `delivery-watch` (docs/interfaces.md, 4.4 delivery-watch). */
export function createDeliveryWatch(dependencies: Dependencies): Handler<WatchAnswer> {
  const { telemetry, clock, registry: source } = dependencies;
  return (event, context) =>
    telemetry.during(context, async () => {
      const question = readWatchEvent(event, () => clock.now());
      const { registry } = await source.load();
      const reports = await watchReports(dependencies, registry, question);
      const ofReports = await tellOps(dependencies, reports, question);
      logReports(dependencies, reports, question);
      const statements = await watchStatements(dependencies, registry, question);
      const ofStatements = await tellOps(dependencies, statements, question);
      logStatements(dependencies, statements, question);
      if (!ofReports || !ofStatements) {
        throw new OpsNotToldError(`ops could not be notified of the ${ofReports ? 'statements' : 'reports'}`);
      }
      // The heartbeat: a watch that does not run or cannot notify is silent, which must raise an alarm.
      telemetry.count('WatchRan', 1);
      return { ...reportsAnswer(reports.looked), statements: statementsAnswer(statements.looked) };
    });
}

function lookOf({ telemetry }: Dependencies, { now }: WatchQuestion): Look {
  return { now, atOnce: CONCURRENCY, onUnreadable: (error) => telemetry.logError(error) };
}

async function watchReports(
  dependencies: Dependencies,
  registry: Registry,
  question: WatchQuestion,
): Promise<WatchedPages> {
  const { sealedPages, notifiedReports, deadlineMinutes } = dependencies;
  const dueDay = dueDays(question.day, question.now - deadlineMinutes * MINUTE);
  const expected = await expectedReports(sealedPages, registry, dueDay);
  const look = lookOf(dependencies, question);
  const looked = await lookAtPages(dependencies, expected, look, ({ delivery }) => delivery);
  const days = [...new Set(looked.map(({ period }) => period))].sort();
  const notified = await Promise.all(days.map((day) => notifiedReports.read(day)));
  const owners = new Set(looked.map(({ owner }) => ownerPart(owner)));
  return { of: 'reports', looked, notified, isExpected: (owner) => owners.has(owner) };
}

/** Looks at those whose deadline passed within the last day, and that ops know to be missing. */
async function watchStatements(
  dependencies: Dependencies,
  registry: Registry,
  question: WatchQuestion,
): Promise<WatchedPages> {
  const { notifiedStatements, deadlineMinutes } = dependencies;
  const time = { now: question.now, margin: deadlineMinutes * MINUTE };
  const { statements, owners } =
    question.day === undefined
      ? expectedStatements(registry, time)
      : { statements: [], owners: new Set<string>() };
  const recorded = statements.length === 0 ? new Set() : await notifiedStatements.periods();
  const open = [...new Set(statements.map(({ period }) => period))].sort();
  const notified = await Promise.all(
    open.map(async (period) =>
      recorded.has(period) ? notifiedStatements.read(period) : nothingNotified('statements', period),
    ),
  );
  const isIn = (sets: ReadonlyMap<string, ReadonlySet<string>>) => (one: ExpectedPage) =>
    sets.get(one.period)?.has(ownerPart(one.owner)) === true;
  const mayCome = isIn(new Map(notified.map((one) => [one.period, mayStillCome(one)])));
  const isKnownEmpty = isIn(new Map(notified.map((one) => [one.period, new Set(one.nothingSealed)])));
  const wanted = statements.filter((one) => one.isRecent || mayCome(one));
  const look = { ...lookOf(dependencies, question), isKnownEmpty };
  const looked = await lookAtPages(dependencies, wanted, look, ({ delivery }) => delivery);
  return { of: 'statements', looked, notified, isExpected: (owner) => owners.has(owner) };
}

/**
 * Notifies when something is worse than what ops know, and once when all is well again. The record comes
 * after the notice; a run after a death finds the notice by its content.
 * @returns `false` when every way to ops failed
 */
async function tellOps(
  dependencies: Dependencies,
  watched: WatchedPages,
  { now, isAhead }: WatchQuestion,
): Promise<boolean> {
  if (isAhead) return notifyAhead(dependencies, watched, now);
  const { opsNotices, notifiedReports, notifiedStatements } = dependencies;
  const { of, looked, notified, isExpected } = watched;
  const records = of === 'reports' ? notifiedReports : notifiedStatements;
  if (notified.some((one) => isWorseThanNotified(one, looked))) {
    const notice = watchNotice(of, looked, notified);
    if (!(await opsNotices.notifyOnce(notice))) return false;
    const heardBy = await opsNotices.heardBy(notice.about);
    for (const period of notice.periods ?? notice.days) {
      await records.change(period, (before) => withNotified(before, looked, heardBy));
    }
  }
  for (const one of notified) {
    if (!isWellAgain(one, looked, isExpected)) continue;
    const { period, spell, heardBy } = one;
    // When it is not known who got the notice of trouble, the all-clear goes to everybody.
    const only = heardBy.length === 0 ? undefined : heardBy;
    if (!(await opsNotices.notifyOnce(allClearNotice(one), only))) return false;
    await records.change(period, (before) => (before.spell === spell ? withAllClear(before) : before));
  }
  return true;
}

/** Not recorded: when a page is really missing then, ops are notified of it. @param now that time */
async function notifyAhead(
  { opsNotices }: Pick<Dependencies, 'opsNotices'>,
  { of, looked }: WatchedPages,
  now: number,
): Promise<boolean> {
  if (!looked.some((one) => one.isDue && one.counts && troubleOf(one) !== null)) return true;
  const at = new Date(now).toISOString();
  const notice = watchNotice(of, looked, [], `ahead ${at}`);
  const asked = `Somebody asked delivery-watch what it would find at ${at}. That time has not come yet.`;
  return opsNotices.notifyOnce({ ...notice, meaning: [asked, ...notice.meaning] });
}

/** A report that is not due yet is not missing. */
function logReports({ telemetry }: Dependencies, { looked }: WatchedPages, { isAhead }: WatchQuestion): void {
  const due = reportsAnswer(looked.filter(({ isDue }) => isDue));
  const { expected, delivered, missing, unbalanced, held } = due;
  telemetry.logger.info('watched', { expected, delivered, missing: missing.slice(0, 100) });
  if (isAhead) return;
  telemetry.count('ReportsExpected', expected);
  telemetry.count('ReportsDelivered', delivered);
  telemetry.count('ReportsMissing', missing.length);
  telemetry.count('ReportsUnbalanced', unbalanced.length);
  telemetry.count('MailsHeld', held.length);
}

function logStatements(
  { telemetry }: Dependencies,
  { looked }: WatchedPages,
  { day, isAhead }: WatchQuestion,
): void {
  if (day !== undefined) return;
  const { expected, delivered, missing, provisional } = statementsAnswer(looked);
  const logged = { expected, delivered, missing: missing.slice(0, 100), provisional: provisional.length };
  telemetry.logger.info('watched statements', logged);
  if (isAhead) return;
  telemetry.count('StatementsExpected', expected);
  telemetry.count('StatementsDelivered', delivered);
  telemetry.count('StatementsMissing', missing.length);
  telemetry.count('StatementsProvisional', provisional.length);
}
