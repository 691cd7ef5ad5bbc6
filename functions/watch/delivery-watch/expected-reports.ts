import * as z from 'zod';
import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { allMerchants } from '#registry/merchants.ts';
import { codesInEntries } from '#registry/registry.ts';
import { MERCHANT_CODE } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import type { SealedPages } from '#page/page-store.ts';
import type { ExpectedPage } from './delivery.ts';
import { newestDueDay, reportClock } from './report-clock.ts';
import type { ReportClock } from './report-clock.ts';

export type DueDay = (clock: ReportClock) => { day: Day; isDue: boolean };

/**
 * Computes each answer once.
 * @param asked a day, or one by zone; `undefined`: the newest due
 * @param moment milliseconds UTC by which an hour must have come
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

type Expectation = Pick<ExpectedPage, 'owner' | 'name' | 'entry' | 'recipients'>;

/** No report is expected before the merchant's `reportFrom`. */
function expected(who: Expectation, clock: ReportClock, dueDay: DueDay): ExpectedPage[] {
  const due = dueDay(clock);
  return due.day < (clock.reportFrom ?? '') ? [] : [expectedReport(who, due, clock.timeZone)];
}

export function expectedReport(
  who: Expectation,
  { day, isDue }: ReturnType<DueDay>,
  timeZone: string,
): ExpectedPage {
  return { ...who, period: day, from: day, to: day, timeZone, isDue, isRecent: true, members: null };
}

const codeSchema = z.lazy(() => z.object({ merchantCode: z.string().regex(MERCHANT_CODE) }));

/**
 * Reports of all merchants, each once, of usable entries or not; without a usable code by path:
 * `merchants[3]`.
 */
export function namedReports(registry: Registry, dueDay: DueDay): ExpectedPage[] {
  const usable = new Map(
    allMerchants(registry).merchants.map((merchant) => [merchant.merchantCode, merchant]),
  );
  const reports = new Map<string, ExpectedPage[]>();
  for (const [index, entry] of registry.merchants.entries()) {
    const merchantCode = codeSchema.safeParse(entry).data?.merchantCode ?? `merchants[${index}]`;
    const settings = usable.get(merchantCode);
    const who: Expectation =
      settings === undefined
        ? { owner: { merchantCode }, name: null, entry: 'not usable', recipients: [] }
        : { owner: { merchantCode }, name: settings.name, entry: 'usable', recipients: settings.recipients };
    const clock = settings ?? reportClock(registry, entry);
    if (!reports.has(merchantCode)) reports.set(merchantCode, expected(who, clock, dueDay));
  }
  return [...reports.values()].flat();
}

/** A merchant with a sealed day in so many days is expected to have the next. */
const DAYS_REMEMBERED = 14;

async function reportsOfRemoved(
  sealedPages: Pick<SealedPages, 'merchantsOf'>,
  registry: Registry,
  dueDay: DueDay,
): Promise<ExpectedPage[]> {
  const clock = reportClock(registry, undefined);
  const due = dueDay(clock);
  const days = Array.from({ length: DAYS_REMEMBERED }, (_, back) => addDays(due.day, -back));
  const sealed = await Promise.all(days.map((day) => sealedPages.merchantsOf(day)));
  const lately = new Set(sealed.flatMap((codes) => [...codes]));
  const gone = [...lately.difference(codesInEntries(registry))].sort();
  const who = { name: null, entry: 'gone' as const, recipients: [] };
  return gone.map((merchantCode) => expectedReport({ owner: { merchantCode }, ...who }, due, clock.timeZone));
}

export async function expectedReports(
  sealedPages: Pick<SealedPages, 'merchantsOf'>,
  registry: Registry,
  dueDay: DueDay,
): Promise<ExpectedPage[]> {
  return [...namedReports(registry, dueDay), ...(await reportsOfRemoved(sealedPages, registry, dueDay))];
}
