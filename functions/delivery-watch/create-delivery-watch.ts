import type { Context } from 'aws-lambda';
import pLimit from 'p-limit';
import { isUnreadableObject } from '#aws/unreadable-object.ts';
import { addDays } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { OpsNotToldError } from '#domain/errors/ops-not-told-error.ts';
import type { SealedDays } from './sealed-days.ts';
import { dayRecords } from './day-records.ts';
import { deliveryOf } from './delivery.ts';
import type { Delivery } from './delivery.ts';
import { readWatchEvent } from './delivery-watch-event.ts';
import type { WatchQuestion } from './delivery-watch-event.ts';
import type { Dependencies } from './dependencies.ts';
import { dayOfRemoved, dueDays, namedReports, reportsOfRemoved } from './expected-reports.ts';
import type { ExpectedReport } from './expected-reports.ts';
import { notifyAhead, notifyOfDeliveries } from './notify-of-deliveries.ts';
import { watchAnswer } from './watch-answer.ts';
import type { WatchAnswer } from './watch-answer.ts';

/** Handles one event of `delivery-watch`. Throws the errors of docs/operations.md. */
export type DeliveryWatch = (event: unknown, context?: Context) => Promise<WatchAnswer>;

/** A merchant with a sealed day in this many days is expected to have the next one. */
const DAYS_REMEMBERED = 14;
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
  const { telemetry, clock } = dependencies;
  return (event, context) =>
    telemetry.during(context, async () => {
      const question = readWatchEvent(event, () => clock.now());
      const reports = await expectedReports(dependencies, question);
      const looked = await deliveries(dependencies, reports, question.now);
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

async function expectedReports(
  { registry: source, sealedDays, deadlineMinutes }: Dependencies,
  { day, now }: WatchQuestion,
): Promise<ExpectedReport[]> {
  const { registry } = await source.load();
  const dueDay = dueDays(day, now - deadlineMinutes * MINUTE);
  const sealedLately = await merchantsSealedLately(sealedDays, dayOfRemoved(registry, dueDay));
  return [...namedReports(registry, dueDay), ...reportsOfRemoved(registry, sealedLately, dueDay)];
}

async function merchantsSealedLately(sealedDays: SealedDays, last: Day): Promise<Set<string>> {
  const days = Array.from({ length: DAYS_REMEMBERED }, (_, back) => addDays(last, -back));
  const merchants = await Promise.all(days.map((day) => sealedDays.merchants(day)));
  return new Set(merchants.flatMap((codes) => [...codes]));
}

async function deliveries(
  dependencies: Dependencies,
  reports: readonly ExpectedReport[],
  now: number,
): Promise<Delivery[]> {
  const { sealedDays } = dependencies;
  const days = [...new Set(reports.map(({ day }) => day))];
  const revisions = new Map(
    await Promise.all(days.map(async (day) => [day, await sealedDays.newestRevisions(day)] as const)),
  );
  const limit = pLimit(CONCURRENCY);
  return limit.map(reports, (report) =>
    delivery(dependencies, report, revisions.get(report.day)?.get(report.merchantCode), now),
  );
}

async function delivery(
  dependencies: Dependencies,
  report: ExpectedReport,
  revision: number | undefined,
  now: number,
): Promise<Delivery> {
  try {
    return deliveryOf(report, await dayRecords(dependencies, report, revision), now);
  } catch (error) {
    // A merchant's unreadable object must not hide the other merchants.
    if (!isUnreadableObject(error)) throw error;
    dependencies.telemetry.logError(error);
    const { merchantCode, day, isDue } = report;
    return { merchantCode, day, isDue, missing: 'records not readable', unbalanced: false, held: false };
  }
}
