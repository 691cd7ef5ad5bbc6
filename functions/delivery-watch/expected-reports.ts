import * as z from 'zod';
import type { Day } from '#domain/day/business-day.ts';
import { allMerchants } from '#domain/registry/merchants.ts';
import { codesInEntries } from '#domain/registry/merchant-codes.ts';
import { MERCHANT_CODE } from '#domain/registry/registry-schema.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { newestDueDay, reportClock } from './report-clock.ts';
import type { ReportClock } from './report-clock.ts';

/** A report that must be there. */
export interface ExpectedReport {
  /** For an entry without a usable code: its path, such as `merchants[3]`. */
  merchantCode: string;
  /** The name in a usable entry, else `null`. Any text. */
  name: string | null;
  day: Day;
  /**
   * Whether its deadline has passed. A report that is not due is looked at only when the event names its day.
   */
  isDue: boolean;
  timeZone: string;
  /** Whether the merchant has a usable entry in the registry, an unusable one, or none any more. */
  entry: 'usable' | 'not usable' | 'gone';
  /** The addresses in a usable entry. */
  recipients: readonly string[];
}

/** Gives the day that is looked at for a clock, and whether its report is due. */
export type DueDay = (clock: ReportClock) => Pick<ExpectedReport, 'day' | 'isDue'>;

/**
 * Computes each answer once: ten thousand merchants share a few zones and hours.
 *
 * @param asked the day that is asked for, or the day in each zone. `undefined` for the newest due day
 * @param moment milliseconds UTC. A report whose hour has come by then is due
 */
export function dueDays(asked: Day | ((timeZone: string) => Day) | undefined, moment: number): DueDay {
  const known = new Map<string, ReturnType<DueDay>>();
  return (clock) => {
    const { timeZone, reportAt } = clock;
    const key = `${timeZone} ${reportAt}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const newest = newestDueDay(clock, moment);
    const day = (typeof asked === 'function' ? asked(timeZone) : asked) ?? newest;
    const due = { day, isDue: day <= newest };
    known.set(key, due);
    return due;
  };
}

type Expectation = Pick<ExpectedReport, 'merchantCode' | 'name' | 'entry' | 'recipients'>;

/** No report is expected before the merchant's `reportFrom`. */
function expected(who: Expectation, clock: ReportClock, dueDay: DueDay): ExpectedReport[] {
  const due = dueDay(clock);
  return due.day < (clock.reportFrom ?? '') ? [] : [{ ...who, ...due, timeZone: clock.timeZone }];
}

const codeSchema = z.lazy(() => z.object({ merchantCode: z.string().regex(MERCHANT_CODE) }));

/** The reports of all merchants that the registry names, in usable entries or not, each merchant once. */
export function namedReports(registry: Registry, dueDay: DueDay): ExpectedReport[] {
  const usable = new Map(
    allMerchants(registry).merchants.map((merchant) => [merchant.merchantCode, merchant]),
  );
  const reports = new Map<string, ExpectedReport[]>();
  for (const [index, entry] of registry.merchants.entries()) {
    const merchantCode = codeSchema.safeParse(entry).data?.merchantCode ?? `merchants[${index}]`;
    const settings = usable.get(merchantCode);
    const who: Expectation =
      settings === undefined
        ? { merchantCode, name: null, entry: 'not usable', recipients: [] }
        : { merchantCode, name: settings.name, entry: 'usable', recipients: settings.recipients };
    const clock = settings ?? reportClock(registry, entry);
    if (!reports.has(merchantCode)) reports.set(merchantCode, expected(who, clock, dueDay));
  }
  return [...reports.values()].flat();
}

/** The day for which merchants that left the registry are looked for: by the registry's default clock. */
export function dayOfRemoved(registry: Registry, dueDay: DueDay): Day {
  return dueDay(reportClock(registry, undefined)).day;
}

/**
 * The reports of merchants that had a sealed day lately and are not in the registry any more.
 *
 * @param sealedLately codes, in any order
 */
export function reportsOfRemoved(
  registry: Registry,
  sealedLately: ReadonlySet<string>,
  dueDay: DueDay,
): ExpectedReport[] {
  const clock = reportClock(registry, undefined);
  const { timeZone } = clock;
  const due = dueDay(clock);
  const gone = [...sealedLately.difference(codesInEntries(registry))].sort();
  const who = { name: null, entry: 'gone' as const, recipients: [] };
  return gone.map((merchantCode) => ({ merchantCode, ...who, ...due, timeZone }));
}
