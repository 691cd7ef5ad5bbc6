import type { Context } from 'aws-lambda';
import { OpsNotToldError } from '#domain/errors/ops-not-told-error.ts';
import { readWatchEvent } from './delivery-watch-event.ts';
import type { Dependencies } from './dependencies.ts';
import { dueDays } from './expected-reports.ts';
import { expectedReports, lookAtReports, newestRevisionsOf } from './look-at-reports.ts';
import { notifyAhead, notifyOfDeliveries } from './notify-of-deliveries.ts';
import { watchAnswer } from './watch-answer.ts';
import type { WatchAnswer } from './watch-answer.ts';

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
      if (!notified)
        throw new OpsNotToldError(`ops could not be notified of the reports (${missing.length} missing)`);
      // The heartbeat. A watch that does not run or cannot notify ops is silent, and this silence must raise
      // an alarm.
      telemetry.count('WatchRan', 1);
      return watchAnswer(looked);
    });
}

function count({ telemetry }: Dependencies, { expected, delivered, ...lists }: WatchAnswer): void {
  telemetry.count('ReportsExpected', expected);
  telemetry.count('ReportsDelivered', delivered);
  telemetry.count('ReportsMissing', lists.missing.length);
  telemetry.count('ReportsUnbalanced', lists.unbalanced.length);
  telemetry.count('MailsHeld', lists.held.length);
}
