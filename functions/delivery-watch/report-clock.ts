import * as z from 'zod';
import { addDays, daysReaching } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { merchantSchema } from '#domain/registry/registry-schema.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { Registry } from '#domain/registry/registry.ts';

/**
 * When a merchant's report is due: at `reportAt` (`HH:MM`) in the zone, on the day after the reported day.
 */
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
 * The clock of an entry, which may be unusable. What cannot be read of it comes from the registry's defaults,
 * then from the product's. `entry` is `undefined` for a merchant that the registry does not name.
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
/**
 * Milliseconds. Longer than two days with changes of the clock, so the report's hour always falls within it.
 */
const LOOK_BACK = 50 * HOUR;

/**
 * The newest day whose report is due at that moment, in the zone of the clock.
 *
 * @param moment milliseconds UTC
 */
export function newestDueDay({ timeZone, reportAt }: ReportClock, moment: number): Day {
  const last = daysReaching(reportAt, timeZone, moment - LOOK_BACK, moment).at(-1);
  // There is no last one only when the zone skipped a whole date. The day before the zone's current date is
  // right then, too.
  return addDays(last ?? new Date(moment).toISOString().slice(0, 10), -1);
}
