import * as z from 'zod';
import { addDays, daysReaching } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { merchantSchema } from '#registry/registry-schema.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';

/** At `reportAt` (`HH:MM`) in the zone, on the day after. */
export type ReportClock = Pick<MerchantSettings, 'timeZone' | 'reportAt' | 'reportFrom'>;

const members = z.lazy(() => z.record(z.string(), z.unknown()));
const timeZone = z.lazy(() => merchantSchema.unwrap().shape.timeZone);
const reportAt = z.lazy(() => merchantSchema.unwrap().shape.reportAt);
const reportFrom = z.lazy(() => merchantSchema.unwrap().shape.reportFrom);

function firstUsable<T>(schema: z.ZodType<T>, ...candidates: unknown[]): T {
  for (const candidate of candidates) {
    const read = schema.safeParse(candidate);
    if (candidate !== undefined && read.success) return read.data;
  }
  return schema.parse(undefined);
}

/** The clock of an entry, usable or not: what it lacks comes from the defaults, then the product's. */
export function reportClock({ defaults }: Pick<Registry, 'defaults'>, entry: unknown): ReportClock {
  const own = members.safeParse(entry).data ?? {};
  return {
    timeZone: firstUsable(timeZone, own['timeZone'], defaults['timeZone']),
    reportAt: firstUsable(reportAt, own['reportAt'], defaults['reportAt']),
    reportFrom: firstUsable(reportFrom, own['reportFrom'], defaults['reportFrom']),
  };
}

const HOUR = 60 * 60_000;
/** Milliseconds: longer than two days with changes of the clock. */
const LOOK_BACK = 50 * HOUR;

/** The newest day whose report is due, in the zone of the clock. @param moment milliseconds UTC */
export function newestDueDay({ timeZone, reportAt }: ReportClock, moment: number): Day {
  const last = daysReaching(reportAt, timeZone, moment - LOOK_BACK, moment).at(-1);
  // None only when the zone skipped a whole date: the day before the current one is right then, too.
  return addDays(last ?? new Date(moment).toISOString().slice(0, 10), -1);
}
