import { createAlertCheck } from '#alerts/alert-check/create-alert-check.ts';
import { buildDependencies as alertCheckOf } from '#alerts/alert-check/dependencies.ts';
import { createPageWorker } from '#page/daily-report/page-worker.ts';
import { createDailyReport } from '#page/daily-report/create-daily-report.ts';
import { buildDependencies as dailyReportOf } from '#page/daily-report/dependencies.ts';
import { createDeliveryWatch } from '#watch/delivery-watch/create-delivery-watch.ts';
import { buildDependencies as deliveryWatchOf } from '#watch/delivery-watch/dependencies.ts';
import { buildDependencies as mailEventsOf, createMailEvents } from '#mail/mail-events/create-mail-events.ts';
import {
  buildDependencies as unsubscribeOf,
  createUnsubscribe,
} from '#mail/unsubscribe/create-unsubscribe.ts';
import { createPlan } from '#functions/plan/create-plan.ts';
import { buildDependencies as planOf } from '#functions/plan/dependencies.ts';
import { buildDependencies as proveOf, createProve } from '#page/prove/create-prove.ts';
import { createStatement } from '#page/statement/create-statement.ts';
import { buildDependencies as statementOf } from '#page/statement/dependencies.ts';
import { buildDependencies as announceOf, createAnnounce } from '#watch/announce/create-announce.ts';
import { createSweep } from '#watch/sweep/create-sweep.ts';
import { buildDependencies as sweepOf } from '#watch/sweep/dependencies.ts';
import type { FunctionName, OptionalFunctionName } from '#lib/functions.ts';
import { isQueueEvent } from '#runtime/queue-worker.ts';
import { partsOf, type WorldClock } from './world-clock.ts';

/** Runs a function of a cold start in this process, with its variables and on the clock of a world. */
export async function runFunction(
  name: FunctionName | Exclude<OptionalFunctionName, 'link'>,
  event: unknown,
  clock: WorldClock,
): Promise<unknown> {
  switch (name) {
    case 'plan': {
      const parts = partsOf(planOf, clock);
      return parts.telemetry.during(undefined, () => createPlan(parts)(event));
    }
    case 'daily-report': {
      const parts = partsOf(dailyReportOf, clock);
      const report = createDailyReport(parts);
      if (!isQueueEvent(event)) return report(event);
      const statement = createStatement(partsOf(statementOf, clock));
      return createPageWorker({ telemetry: parts.telemetry, report, statement })(event);
    }
    case 'statement':
      return createStatement(partsOf(statementOf, clock))(event);
    case 'alert-check':
      return createAlertCheck(partsOf(alertCheckOf, clock))(event);
    case 'delivery-watch':
      return createDeliveryWatch(partsOf(deliveryWatchOf, clock))(event);
    case 'mail-events':
      return createMailEvents(partsOf(mailEventsOf, clock))(event);
    case 'sweep':
      return createSweep(partsOf(sweepOf, clock))(event);
    case 'announce':
      return createAnnounce(partsOf(announceOf, clock))(event);
    case 'prove':
      return createProve(partsOf(proveOf, clock))(event);
    case 'unsubscribe':
      return createUnsubscribe(partsOf(unsubscribeOf, clock))(event);
    case 'lake':
      throw new Error('a world has no Athena: see test/lake/function');
  }
}
