import { addDays } from '#records/day/business-day.ts';
import type { ReaderTask } from '../measure.ts';
import { DaysInTurn, daysUntil, DAYS_A_READING } from '../small-days.ts';
import { builtFunction } from './built.ts';

interface Answer {
  unchanged: boolean;
  mail: { status: string };
}

/** Runs the deployed function for each of the days, as a tick does. @throws Error when it did something else */
async function reportEach(
  { merchant }: ReaderTask,
  days: readonly string[],
  tick: number,
  told: Answer['mail']['status'],
): Promise<number> {
  const dailyReport = await builtFunction('daily-report');
  for (const day of days) {
    const scheduledTime = `${addDays(day, tick)}T03:00:00Z`;
    const event = { merchantCode: merchant.merchantCode, day, send: true, scheduledTime };
    const answer = (await dailyReport(event)) as Answer;
    if (answer.mail.status !== told) throw new Error(`${day} is not ${told}: ${JSON.stringify(answer)}`);
  }
  return days.length;
}

const days = new DaysInTurn();

/** Reports of new days: pulled, sealed and mailed. */
export async function smallReports(task: ReaderTask): Promise<number> {
  return reportEach(task, days.next(task.day), 1, 'sent');
}

let looks = 0;

/** Looks back at days that have not changed. The first reading reports them before. */
export async function unchangedDays(task: ReaderTask): Promise<number> {
  const reported = daysUntil(task.day, DAYS_A_READING);
  if (looks === 0) await reportEach(task, reported, 1, 'sent');
  looks += 1;
  return reportEach(task, reported, 1 + looks, 'already-sent');
}
