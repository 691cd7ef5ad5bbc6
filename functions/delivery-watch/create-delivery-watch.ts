import type { Context } from 'aws-lambda';
import { OpsNotToldError } from '#domain/errors/ops-not-told-error.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { readWatchEvent } from './delivery-watch-event.ts';
import type { WatchQuestion } from './delivery-watch-event.ts';
import type { Dependencies } from './dependencies.ts';
import { dueDays } from './expected-reports.ts';
import { expectedReports, lookAtReports, newestRevisionsOf } from './look-at-reports.ts';
import { notifyAhead, notifyOfDeliveries } from './notify-of-deliveries.ts';
import { statementsAnswer } from './statements/statements-answer.ts';
import type { StatementsAnswer } from './statements/statements-answer.ts';
import {
  notifyOfStatements,
  notifyOfStatementsAhead,
  watchStatements,
} from './statements/watch-statements.ts';
import { watchAnswer } from './watch-answer.ts';
import type { ReportsAnswer, WatchAnswer } from './watch-answer.ts';

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
  const { telemetry, clock, registry: source, sealedDays, deadlineMinutes } = dependencies;
  return (event, context) =>
    telemetry.during(context, async () => {
      const question = readWatchEvent(event, () => clock.now());
      const { registry } = await source.load();
      const dueDay = dueDays(question.day, question.now - deadlineMinutes * MINUTE);
      const reports = await expectedReports(sealedDays, registry, dueDay);
      const onUnreadable = (error: Error) => telemetry.logError(error);
      const revisions = await newestRevisionsOf(sealedDays, reports);
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
