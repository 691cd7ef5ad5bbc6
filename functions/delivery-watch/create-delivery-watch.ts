import type { Context } from 'aws-lambda';
import { OpsNotToldError } from '#domain/errors/ops-not-told-error.ts';
import type { Registry } from '#domain/registry/registry.ts';
import type { Dependencies } from './dependencies.ts';
import { dueDays } from './expected-reports.ts';
import { expectedReports, lookAtReports, newestRevisionsOf } from './look-at-reports.ts';
import { statementsAnswer } from './statements/statements-answer.ts';
import type { StatementsAnswer } from './statements/statements-answer.ts';
import {
  notifyOfStatements,
  notifyOfStatementsAhead,
  watchStatements,
} from './statements/watch-statements.ts';
import { watchAnswer } from './watch-answer.ts';
import type { ReportsAnswer, WatchAnswer } from './watch-answer.ts';
import * as z from 'zod';
import { CLOCKS_DIFFER } from '#domain/alerts/future-times.ts';
import { dayAt, isDay } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { InvalidEventError, readEvent } from '#domain/errors/invalid-event.ts';
import { isWellAgain, withAllClear, withNotified, worseThanNotified } from './notified-day.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';
import type { NotifiedDays } from './notified-days.ts';
import type { Delivery } from './delivery.ts';
import { allClearNotice, watchNotice } from './watch-notice.ts';

/**
 * Notifies ops when something is worse than what they know of the day, and once when all is well again. The
 * record is written after the notice. When a run dies between the two, the next run finds the notice by its
 * content and does not send it again.
 *
 * @param looked what became of every report that was looked at; a report that is not due yet causes no notice
 * @param answer about the reports that are due
 * @returns `false` when there was a notice to send and every way to ops failed
 */
async function notifyOfDeliveries(
  { opsNotices, notifiedDays }: { opsNotices: OpsNotices; notifiedDays: NotifiedDays },
  looked: readonly Delivery[],
  answer: ReportsAnswer,
): Promise<boolean> {
  const due = looked.filter(({ isDue }) => isDue);
  const days = [...new Set(looked.map(({ day }) => day))].sort();
  const standing = await Promise.all(days.map((day) => notifiedDays.read(day)));
  if (standing.some((notified) => worseThanNotified(notified, due).length > 0)) {
    const spells = standing.map(({ day, spell }) => `${day} ${spell}`);
    const notice = watchNotice(answer, spells);
    if (!(await opsNotices.notifyOnce(notice))) return false;
    const heardBy = await opsNotices.heardBy(notice.about);
    const missingDays = new Set(answer.missing.map(({ day }) => day));
    for (const day of missingDays) {
      await notifiedDays.change(day, (before) => withNotified(before, due, heardBy));
    }
  }
  for (const notified of standing) {
    if (!isWellAgain(notified, looked)) continue;
    const { day, spell, heardBy } = notified;
    const notice = allClearNotice(notified);
    // When it is not known who got the notice of trouble, the all-clear goes to everybody.
    const only = heardBy.length === 0 ? undefined : heardBy;
    if (!(await opsNotices.notifyOnce(notice, only))) return false;
    await notifiedDays.change(day, (before) => (before.spell === spell ? withAllClear(before) : before));
  }
  return true;
}

/**
 * Notifies ops of what would be missing at a time in the future, because somebody asked for it. This is not
 * recorded: when a report is really missing at that time, ops are notified of it.
 *
 * @param now that time, milliseconds UTC
 * @returns `false` when there was a notice to send and every way to ops failed
 */
async function notifyAhead(
  { opsNotices }: { opsNotices: OpsNotices },
  answer: ReportsAnswer,
  now: number,
): Promise<boolean> {
  if (answer.missing.length === 0) return true;
  const at = new Date(now).toISOString();
  const notice = watchNotice(answer, [`ahead ${at}`]);
  const asked = `Somebody asked delivery-watch what it would find at ${at}. That time has not come yet.`;
  return opsNotices.notifyOnce({ ...notice, meaning: [asked, ...notice.meaning] });
}

/** The event of `delivery-watch` (docs/interfaces.md, 4.4 delivery-watch). */
export const eventSchema = z.lazy(() =>
  z.strictObject({
    day: z.string().refine(isDay, 'is not a date (YYYY-MM-DD)').optional(),
    now: z.iso.datetime({ offset: true }).optional(),
  }),
);

/** What the event asks for: the reports of one day, or of the newest due day of each merchant. */
interface WatchQuestion {
  day: Day | undefined;
  /** Milliseconds UTC. */
  now: number;
  /** Whether that time is in the future. What is missing then is not yet missing. */
  isAhead: boolean;
}

/** The zone where a day begins first. */
const EARLIEST_ZONE = 'Etc/GMT-14';

/**
 * Reads the event of `delivery-watch` (docs/interfaces.md, 4.4 delivery-watch).
 *
 * @param clock gives the time, milliseconds UTC
 * @throws {InvalidEventError} that names the member that is wrong or unknown, or a day that has not begun
 * anywhere
 */
export function readWatchEvent(event: unknown, clock: () => number): WatchQuestion {
  const { day, now: asked } = readEvent(eventSchema, event ?? {});
  const now = asked === undefined ? clock() : Date.parse(asked);
  if (day !== undefined && day > dayAt(now, EARLIEST_ZONE)) {
    throw new InvalidEventError('day', 'has not begun anywhere yet');
  }
  return { day, now, isAhead: now > clock() + CLOCKS_DIFFER };
}

/** Handles one event of `delivery-watch`. Throws the errors of docs/operations.md. */
export type DeliveryWatch = (event: unknown, context?: Context) => Promise<WatchAnswer>;

/**
 * How many merchants are looked at together. S3 takes thousands of reads a second, and the client has fifty
 * connections.
 */
const CONCURRENCY = 40;
const MINUTE = 60_000;

/**
 * Builds `delivery-watch` (docs/interfaces.md, 4.4 delivery-watch): it reads what is expected and what is
 * stored, decides, then notifies ops.
 */
export function createDeliveryWatch(dependencies: Dependencies): DeliveryWatch {
  const { telemetry, clock, registry: source, sealedPages, deadlineMinutes } = dependencies;
  return (event, context) =>
    telemetry.during(context, async () => {
      const question = readWatchEvent(event, () => clock.now());
      const { registry } = await source.load();
      const dueDay = dueDays(question.day, question.now - deadlineMinutes * MINUTE);
      const reports = await expectedReports(sealedPages, registry, dueDay);
      const onUnreadable = (error: Error) => telemetry.logError(error);
      const revisions = await newestRevisionsOf(sealedPages, reports);
      const options = { revisions, now: question.now, atOnce: CONCURRENCY, onUnreadable };
      const looked = await lookAtReports(dependencies, reports, options, ({ delivery }) => delivery);
      // The event may name a day before its deadlines. A report that is not due yet is not missing.
      const due = watchAnswer(looked.filter(({ isDue }) => isDue));
      const notified = question.isAhead
        ? await notifyAhead(dependencies, due, question.now)
        : await notifyOfDeliveries(dependencies, looked, due);
      const { expected, delivered, missing } = due;
      if (!question.isAhead) count(dependencies, due);
      telemetry.logger.info('watched', { expected, delivered, missing: missing.slice(0, 100) });
      const statements = await lookAfterStatements(dependencies, registry, question, onUnreadable);
      if (!notified)
        throw new OpsNotToldError(`ops could not be notified of the reports (${missing.length} missing)`);
      if (!statements.notified) {
        const lacking = statements.answer.missing.length;
        throw new OpsNotToldError(`ops could not be notified of the statements (${lacking} missing)`);
      }
      // The heartbeat. A watch that does not run or cannot notify ops is silent, and this silence must raise
      // an alarm.
      telemetry.count('WatchRan', 1);
      return { ...watchAnswer(looked), statements: statements.answer };
    });
}

/**
 * Looks at statements and groups' pages, and notifies ops. An event that names a day asks for its reports only.
 *
 * @returns `notified`: `false` when there was a notice to send and every way to ops failed
 */
async function lookAfterStatements(
  dependencies: Dependencies,
  registry: Registry,
  { day, now, isAhead }: WatchQuestion,
  onUnreadable: (error: Error) => void,
): Promise<{ answer: StatementsAnswer; notified: boolean }> {
  if (day !== undefined) return { answer: statementsAnswer([]), notified: true };
  const time = { now, margin: dependencies.deadlineMinutes * MINUTE };
  const look = { atOnce: CONCURRENCY, onUnreadable };
  const watched = await watchStatements(dependencies, registry, time, look);
  const answer = statementsAnswer(watched.looked);
  const notified = isAhead
    ? await notifyOfStatementsAhead(dependencies, watched, now)
    : await notifyOfStatements(dependencies, watched);
  const { expected, delivered, missing, provisional } = answer;
  if (!isAhead) {
    dependencies.telemetry.count('StatementsExpected', expected);
    dependencies.telemetry.count('StatementsDelivered', delivered);
    dependencies.telemetry.count('StatementsMissing', missing.length);
    dependencies.telemetry.count('StatementsProvisional', provisional.length);
  }
  const logged = { expected, delivered, missing: missing.slice(0, 100), provisional: provisional.length };
  dependencies.telemetry.logger.info('watched statements', logged);
  return { answer, notified };
}

function count({ telemetry }: Dependencies, { expected, delivered, ...lists }: ReportsAnswer): void {
  telemetry.count('ReportsExpected', expected);
  telemetry.count('ReportsDelivered', delivered);
  telemetry.count('ReportsMissing', lists.missing.length);
  telemetry.count('ReportsUnbalanced', lists.unbalanced.length);
  telemetry.count('MailsHeld', lists.held.length);
}
