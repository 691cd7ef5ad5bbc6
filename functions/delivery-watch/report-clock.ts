import * as z from 'zod';
import { addDays, daysReaching } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { merchantSchema } from '#domain/registry/registry-schema.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { Registry } from '#domain/registry/registry.ts';

/** When a merchant's report is due: `HH:MM` in the zone, on the day after the one that it is of. */
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

/**
 * The clock of an entry that need not be usable: what cannot be read of it comes from the registry's defaults, then
 * from the product's. For a merchant that the registry does not name, `entry` is `undefined`.
 */
export function reportClock({ defaults }: Pick<Registry, 'defaults'>, entry: unknown): ReportClock {
  const own = members.safeParse(entry).data ?? {};
  return {
    timeZone: firstUsable(timeZone, own['timeZone'], defaults['timeZone']),
    reportAt: firstUsable(reportAt, own['reportAt'], defaults['reportAt']),
    reportFrom: firstUsable(reportFrom, own['reportFrom'], defaults['reportFrom']),
  };
}

const HOUR = 60 * 60_000;
/** Longer than two days with their changes of the clock, so that a report's hour is always in it. */
const LOOK_BACK = 50 * HOUR;

/**
 * The newest day whose report is due at that moment, in the zone of the clock.
 *
 * @param moment milliseconds UTC
 */
export function newestDueDay({ timeZone, reportAt }: ReportClock, moment: number): Day {
  const last = daysReaching(reportAt, timeZone, moment - LOOK_BACK, moment).at(-1);
  // Only a zone that skipped a whole date has none; the day before the one that its clock shows is right there, too.
  return addDays(last ?? new Date(moment).toISOString().slice(0, 10), -1);
}
