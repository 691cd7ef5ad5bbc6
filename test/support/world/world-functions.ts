import { createAlertCheck } from '#alerts/alert-check/create-alert-check.ts';
import { buildDependencies as alertCheckOf } from '#alerts/alert-check/dependencies.ts';
import { createPageWorker } from '#page/daily-report/page-worker.ts';
import { createDailyReport } from '#page/daily-report/create-daily-report.ts';
import { buildDependencies as dailyReportOf } from '#page/daily-report/dependencies.ts';
import { createDeliveryWatch } from '#watch/delivery-watch/create-delivery-watch.ts';
import { buildDependencies as deliveryWatchOf } from '#watch/delivery-watch/dependencies.ts';
import { buildDependencies as mailEventsOf, createMailEvents } from '#mail/mail-events/create-mail-events.ts';
import { createPlan } from '#functions/plan/create-plan.ts';
import { buildDependencies as planOf } from '#functions/plan/dependencies.ts';
import { createStatement } from '#page/statement/create-statement.ts';
import { buildDependencies as statementOf } from '#page/statement/dependencies.ts';
import { createSweep } from '#watch/sweep/create-sweep.ts';
import { buildDependencies as sweepOf } from '#watch/sweep/dependencies.ts';
import type { FunctionName } from '#lib/functions.ts';
import { isQueueEvent } from '#runtime/queue-worker.ts';
import { readEnvironment } from '#registry/environment.ts';
import type { WorldClock } from './world-clock.ts';

/** Runs a function of a cold start in this process, with its variables and on the clock of a world. */
export async function runFunction(name: FunctionName, event: unknown, clock: WorldClock): Promise<unknown> {
  const environment = readEnvironment(process.env);
  switch (name) {
    case 'plan': {
      const dependencies = planOf(environment);
      const plan = createPlan({ ...dependencies, clock });
      return dependencies.telemetry.during(undefined, () => plan(event));
    }
    case 'daily-report': {
      const dependencies = dailyReportOf(environment);
      const report = createDailyReport({ ...dependencies, clock });
      if (!isQueueEvent(event)) return report(event);
      const statement = createStatement({ ...statementOf(environment), clock });
      return createPageWorker({ telemetry: dependencies.telemetry, report, statement })(event);
    }
    case 'statement':
      return createStatement({ ...statementOf(environment), clock })(event);
    case 'alert-check':
      return createAlertCheck({ ...alertCheckOf(environment), clock })(event);
    case 'delivery-watch':
      return createDeliveryWatch({ ...deliveryWatchOf(environment), clock })(event);
    case 'mail-events':
      return createMailEvents({ ...mailEventsOf(environment), clock })(event);
    case 'sweep':
      return createSweep({ ...sweepOf(environment), clock })(event);
    case 'lake':
      throw new Error('a world has no Athena: see test/lake/function');
  }
}
