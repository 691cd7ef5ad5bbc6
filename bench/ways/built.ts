import { join } from 'node:path';
import { addDays } from '#records/day/business-day.ts';
import { loadHandler } from '../handler.ts';
import type { ReaderTask } from '../measure.ts';
import { DAYS_A_READING, daysUntil, nextDays } from '../days.ts';

function builtFunction(name: string): ReturnType<typeof loadHandler> {
  // Its log lines would appear between the figures.
  process.stdout.write = () => true;
  return loadHandler(join(import.meta.dirname, '../../dist/functions', name, 'index.mjs'), 512);
}

interface ReportAnswer {
  balanced: boolean;
  counts: { total: number };
  mail: { status: string };
}

/** A whole report as it is deployed: pulled, sealed, its rows read again for the mail, mailed. */
export async function report({ merchant, day }: ReaderTask): Promise<number> {
  const dailyReport = await builtFunction('daily-report');
  const answer = (await dailyReport({ merchantCode: merchant.merchantCode, day })) as ReportAnswer;
  if (!answer.balanced || answer.mail.status !== 'sent')
    throw new Error(`not reported: ${JSON.stringify(answer)}`);
  return answer.counts.total;
}

/** Runs the deployed function for each of the days, as a tick does. @throws Error when it did something else */
async function reportEach(
  { merchant }: ReaderTask,
  days: readonly string[],
  tick: number,
  told: string,
): Promise<number> {
  const dailyReport = await builtFunction('daily-report');
  for (const day of days) {
    const scheduledTime = `${addDays(day, tick)}T03:00:00Z`;
    const event = { merchantCode: merchant.merchantCode, day, send: true, scheduledTime };
    const answer = (await dailyReport(event)) as { unchanged: boolean; mail: { status: string } };
    if (answer.mail.status !== told) throw new Error(`${day} is not ${told}: ${JSON.stringify(answer)}`);
  }
  return days.length;
}

/** Reports of new days: pulled, sealed and mailed. */
export async function smallReports(task: ReaderTask): Promise<number> {
  return reportEach(task, nextDays(task.day), 1, 'sent');
}

let looks = 0;

/** Looks back at days that have not changed. The first reading reports them before. */
export async function unchangedDays(task: ReaderTask): Promise<number> {
  const reported = daysUntil(task.day, DAYS_A_READING);
  if (looks === 0) await reportEach(task, reported, 1, 'sent');
  looks += 1;
  return reportEach(task, reported, 1 + looks, 'already-sent');
}
