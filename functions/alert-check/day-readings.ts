import { needsOf } from '#domain/alerts/needs.ts';
import type { Needs } from '#domain/alerts/needs.ts';
import type { Readings } from '#domain/alerts/readings.ts';
import type { Rule } from '#domain/alerts/rule.ts';
import { dayAt } from '#domain/day/business-day.ts';
import { soFarUntil } from '#domain/day/so-far.ts';
import type { Run } from './alert-check-run.ts';
import type { Dependencies } from './dependencies.ts';

/** Milliseconds that are kept for the state and the mail after reading. */
const AFTER_READING = 40_000;

/** What a check decides from. */
export interface DayReadings {
  readings: Readings;
  /**
   * Whether the day is sealed, and was over at that time. A day that was sealed at noon says nothing about
   * its evening.
   */
  isDaySealed: boolean;
}

/** Whether a rule depends on the day being sealed, or on its sealed figures. */
function needsRevision(rules: readonly Rule[], { needs }: Needs): boolean {
  const waits = rules.some(({ ofDay, side, notBefore }) => ofDay && (side === 'below' || notBefore !== null));
  return waits || needs.has('amounts') || needs.has('refunds');
}

/** Reads what the rules of the run need. Without rules it reads nothing. */
export async function dayReadings(dependencies: Dependencies, run: Run): Promise<DayReadings> {
  const { service, settings, day, now, rules } = run;
  const { merchantCode, timeZone } = settings;
  const needs = needsOf(rules);
  // A day of the past may have been sealed with another meaning than the registry's now.
  const isPast = day < dayAt(now, timeZone);
  const newest =
    isPast || needsRevision(rules, needs)
      ? await dependencies.snapshots.newest(merchantCode, day)
      : undefined;
  const isDaySealed = newest !== undefined && soFarUntil(newest, timeZone) === null;
  const deadline = run.end - AFTER_READING;
  const request = { service, settings, day, newest, isDaySealed, needs, now, deadline };
  // The code that reads the service is loaded only when the rules need it.
  const { gatherReadings } = await import('./gather-readings.ts');
  return { readings: await gatherReadings(dependencies, request), isDaySealed };
}
