import type { Context, SQSBatchResponse } from 'aws-lambda';
import { readEnvironment } from '#registry/environment.ts';
import { isQueueEvent } from '#runtime/queue-worker.ts';
import { createDailyReport } from './create-daily-report.ts';
import type { DailyReportAnswer } from './create-daily-report.ts';
import { buildDependencies } from './dependencies.ts';
import { createPageWorker } from './page-worker.ts';

/** Loaded for the first statement: most runs make none. */
async function statement(event: unknown, context?: Context): Promise<unknown> {
  const { handler } = await import('../statement/statement.lambda.ts');
  return handler(event, context);
}

/** Built at the first event, so that an error in the environment fails that event. */
function build() {
  const dependencies = buildDependencies(readEnvironment(process.env));
  const report = createDailyReport(dependencies);
  return { report, work: createPageWorker({ telemetry: dependencies.telemetry, report, statement }) };
}

let built: ReturnType<typeof build> | undefined;

/** Answers an event of a person (docs/interfaces.md, 4.2 daily-report), or does the messages of a queue (7 Queues). */
export async function handler(
  event: unknown,
  context?: Context,
): Promise<DailyReportAnswer | SQSBatchResponse> {
  built ??= build();
  return isQueueEvent(event) ? built.work(event, context) : built.report(event, context);
}
