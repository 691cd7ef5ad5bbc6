import { addDays, dayAt, daysReaching } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';

type Times = Pick<MerchantSettings, 'reportAt' | 'timeZone' | 'lookbackDays'>;

/** What a change of the report's time does. */
export interface ReportChange {
  /** When the first report comes at the new time, such as `from tomorrow (2026-11-24)`. */
  from: string;
  /** A day that no tick reports at its time. `comes`: the next tick looks back at it and mails it then. */
  late: { day: Day; comes: boolean } | undefined;
}

const TWO_DAYS = 2 * 86_400_000;

/** The date as a person says it. @param today in the same zone */
function dateInWords(date: Day, today: Day): string {
  if (date === today) return `today (${date})`;
  return date === addDays(today, 1) ? `tomorrow (${date})` : date;
}

/**
 * The first report at the new time. A tick of `plan` reports the day before the local date on which the clock
 * reaches `reportAt`. A day that was reported at the old time is not mailed again.
 *
 * @param now milliseconds UTC
 */
export function reportChange(before: Times, after: Times, now: number): ReportChange {
  const past = daysReaching(before.reportAt, before.timeZone, now - TWO_DAYS, now).at(-1);
  const coming = daysReaching(after.reportAt, after.timeZone, now, now + TWO_DAYS);
  const today = dayAt(now, after.timeZone);
  const first = coming.find((date) => past === undefined || date > past) ?? addDays(today, 1);
  const from = `from ${dateInWords(first, today)}`;
  if (past === undefined || first <= addDays(past, 1)) return { from, late: undefined };
  return { from, late: { day: past, comes: after.lookbackDays.includes(1) } };
}
