import type { Context } from 'aws-lambda';
import { readEnvironment } from '#runtime/environment.ts';
import { createDailyReport } from './create-daily-report.ts';
import type { DailyReport } from './create-daily-report.ts';
import type { DailyReportAnswer } from './answer.ts';
import { buildDependencies } from './dependencies.ts';

let dailyReport: DailyReport | undefined;

/** What a cold start builds, at the first event: a malformed environment fails that, and names the variable. */
function build(): DailyReport {
  return createDailyReport(buildDependencies(readEnvironment(process.env)));
}

/** What AWS calls: one merchant and day, pulled, sealed and mailed. */
export async function handler(event: unknown, context?: Context): Promise<DailyReportAnswer> {
  dailyReport ??= build();
  return dailyReport(event, context);
}
