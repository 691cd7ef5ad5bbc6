import * as z from 'zod';
import type { Day } from '#domain/day/business-day.ts';
import { allMerchants } from '#domain/registry/merchants.ts';
import { claimedCodes } from '#domain/registry/merchant-codes.ts';
import { MERCHANT_CODE } from '#domain/registry/registry-schema.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { newestDueDay, reportClock } from './report-clock.ts';
import type { ReportClock } from './report-clock.ts';

/** A report that must be there. */
export interface ExpectedReport {
  /** For an entry without a usable code its path, such as `merchants[3]`. */
  merchantCode: string;
  day: Day;
  /** Whether its deadline has passed; before that it may only be asked for by its day. */
  isDue: boolean;
  timeZone: string;
  /** Where the merchant stands: in a usable entry, in one that is not, or in none any more. */
  entry: 'usable' | 'not usable' | 'gone';
  /** Addresses of a usable entry. */
  recipients: readonly string[];
}

/** The day that is looked at for a clock, and whether its report is due. */
export type DueDay = (clock: ReportClock) => Pick<ExpectedReport, 'day' | 'isDue'>;

/**
 * Ten thousand merchants share a few zones and hours: each is worked out once.
 *
 * @param asked the day that is asked for, `undefined` for the newest due one
 * @param moment milliseconds UTC: reports whose hour has come by then are due
 */
export function dueDays(asked: Day | undefined, moment: number): DueDay {
  const known = new Map<string, Day>();
  return (clock) => {
    const key = `${clock.timeZone} ${clock.reportAt}`;
    const newest = known.get(key) ?? newestDueDay(clock, moment);
    known.set(key, newest);
    const day = asked ?? newest;
    return { day, isDue: day <= newest };
  };
}

type Expectation = Pick<ExpectedReport, 'merchantCode' | 'entry' | 'recipients'>;

/** A merchant whose `reportFrom` lies after its day is not expected yet. */
function expected(who: Expectation, clock: ReportClock, dueDay: DueDay): ExpectedReport[] {
  const due = dueDay(clock);
  return due.day < (clock.reportFrom ?? '') ? [] : [{ ...who, ...due, timeZone: clock.timeZone }];
}

const codeSchema = z.lazy(() => z.object({ merchantCode: z.string().regex(MERCHANT_CODE) }));

/** The reports of everyone whom the registry names, well or badly, each merchant once. */
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
        ? { merchantCode, entry: 'not usable', recipients: [] }
        : { merchantCode, entry: 'usable', recipients: settings.recipients };
    const clock = settings ?? reportClock(registry, entry);
    if (!reports.has(merchantCode)) reports.set(merchantCode, expected(who, clock, dueDay));
  }
  return [...reports.values()].flat();
}

/** The day by which it is asked who is gone: that of the registry's own hour. */
export function dayOfTheGone(registry: Registry, dueDay: DueDay): Day {
  return dueDay(reportClock(registry, undefined)).day;
}

/**
 * The reports of those who had a sealed day lately and whom the registry names no more.
 *
 * @param sealedLately codes, in any order
 */
export function reportsOfTheGone(
  registry: Registry,
  sealedLately: ReadonlySet<string>,
  dueDay: DueDay,
): ExpectedReport[] {
  const clock = reportClock(registry, undefined);
  const { timeZone } = clock;
  const due = dueDay(clock);
  const gone = [...sealedLately.difference(claimedCodes(registry))].sort();
  return gone.map((merchantCode) => ({ merchantCode, ...due, timeZone, entry: 'gone', recipients: [] }));
}
