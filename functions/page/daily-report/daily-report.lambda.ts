import type { Context } from 'aws-lambda';
import { readEnvironment } from '#registry/environment.ts';
import { builtAtFirstEvent } from '#runtime/lambda-handler.ts';
import { isQueueEvent } from '#runtime/queue-worker.ts';
import { createDailyReport } from './create-daily-report.ts';
import { buildDependencies } from './dependencies.ts';
import { createPageWorker } from './page-worker.ts';

/** Loaded for the first statement: most runs make none. */
async function statement(event: unknown, context?: Context): Promise<unknown> {
  const { handler: ofStatements } = await import('../statement/statement.lambda.ts');
  return ofStatements(event, context);
}

/** Answers an event of a person (docs/interfaces.md, 4.2 daily-report), or does the messages of a queue (7 Queues). */
export const handler = builtAtFirstEvent(() => {
  const dependencies = buildDependencies(readEnvironment(process.env));
  const report = createDailyReport(dependencies);
  const work = createPageWorker({ telemetry: dependencies.telemetry, report, statement });
  return async (event, context) => (isQueueEvent(event) ? work(event, context) : report(event, context));
});
