import type { Context } from 'aws-lambda';
import { readEnvironment } from '#registry/environment.ts';
import { createDailyReport } from './create-daily-report.ts';
import type { DailyReport } from './create-daily-report.ts';
import type { DailyReportAnswer } from './answer.ts';
import { buildDependencies } from './dependencies.ts';

let dailyReport: DailyReport | undefined;

/** Built at the first event, so that an error in the environment fails that event. */
function build(): DailyReport {
  return createDailyReport(buildDependencies(readEnvironment(process.env)));
}

export async function handler(event: unknown, context?: Context): Promise<DailyReportAnswer> {
  dailyReport ??= build();
  return dailyReport(event, context);
}
