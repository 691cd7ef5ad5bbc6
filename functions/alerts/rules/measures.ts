import * as z from 'zod';
import type { Thousandths } from '#records/money/money.ts';
import type { AlertItem, Unit } from '#records/ledger/alert-line.ts';
import type { Counts } from '#records/figures/figure-schemas.ts';
import type { Behind } from './behind.ts';
import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { byExpiry, MOST_ITEMS } from './behind.ts';

export interface ExpiringInvoice {
  createdOn: string;
  expiresOn: string;
}

/** The kinds of readings. A check reads only what its rules need. */
export type Need = 'counts' | 'amounts' | 'refunds' | 'expiring' | 'lastSealed' | 'usualSoFar' | 'usualDay';

/** An amount of a day beside what earlier days like it had. */
export interface AgainstUsual {
  day: Day;
  amount: Thousandths;
  /** Of all earlier days together, and how many they are. */
  sum: Thousandths;
  days: number;
  /** `HH:MM` of the merchant's clock up to which all of it counts; `null` for whole days. */
  by: string | null;
  /** As the days were sealed. */
  currency: string;
}

/** One day alone is not what is usual. */
const LEAST_DAYS = 2;

/** Whether too few earlier days are known, or nothing came in on them by then. */
export function isWithoutUsual({ days, sum }: AgainstUsual): boolean {
  return days < LEAST_DAYS || sum <= 0n;
}

/** `null`: unknown, without data for a measure. Amounts in thousandths, times in milliseconds UTC. */
export interface Readings {
  now: number;
  /** The merchant's own date at `now`. */
  today: string;
  /** Of the amounts and refunds: that of the day's page, once it is sealed. */
  currency: string;
  counts: Counts | null;
  amounts: { paid: Thousandths; unpaid: Thousandths } | null;
  refunds: { count: number; total: Thousandths; largest: Thousandths } | null;
  expiring: readonly ExpiringInvoice[] | null;
  /** Milliseconds UTC of the pull; `null` when none is sealed. */
  lastSealedAt: number | null;
  /** What was paid of the day's invoices on the day so far. */
  usualSoFar: AgainstUsual | null;
  /** What came in on the newest sealed day, by first readings. */
  usualDay: AgainstUsual | null;
  /** Why one of them is `null`, where it is no reading that failed. */
  noUsual?: Partial<Record<'usualSoFar' | 'usualDay', string | undefined>>;
  behind: Behind;
}

/** What a measure is for one rule, whose members it has read. */
export interface MeasureOfRule {
  /** In thousandths of the unit; `null` when it is unknown. */
  value: (readings: Readings) => Thousandths | null;
  /** Days before today whose sealed pages are read for it. 0: none. */
  sealedDaysBack: number;
  behind: (readings: Readings) => readonly AlertItem[];
  /** Days ahead that it looks; `null` when it does not. */
  days: number | null;
}

export interface Measure {
  name: string;
  unit: Unit;
  needs: readonly Need[];
  /** Of one day, starting again at midnight. */
  ofDay: boolean;
  /** Which of the readings' invoices and refunds are behind it; `null` for none. */
  items: keyof Behind | null;
  /** What it is a share of; `null` for one that is no share of the usual. */
  usual: 'usualSoFar' | 'usualDay' | null;
  /** Of the members of a rule that only this measure has. */
  parameterNames: readonly string[];
  /** Reads those members of a rule. */
  parameters: z.ZodType<MeasureOfRule>;
}

/** In thousandths; `null` when it is unknown. */
function thousandthsOf(count: number | null | undefined): Thousandths | null {
  return count === null || count === undefined ? null : BigInt(count) * 1_000n;
}

/**
 * A share in thousandths of a percent, rounded half up. `null` when a part is unknown or the whole is zero.
 */
export function shareOf(
  part: Thousandths | null | undefined,
  whole: Thousandths | null | undefined,
): Thousandths | null {
  if (part === null || part === undefined || whole === null || whole === undefined) return null;
  if (whole <= 0n) return null;
  const doubled = part * 200_000n + whole;
  const share = doubled / (whole * 2n);
  // BigInt division cuts towards zero, so a negative share would be rounded up twice.
  return doubled < 0n && doubled % (whole * 2n) !== 0n ? share - 1n : share;
}

const windowSchema = z.lazy(() =>
  z.object({ withinDays: z.int().min(0).max(366), createdWithinDays: z.int().min(1).max(366).default(30) }),
);
type Window = z.infer<typeof windowSchema>;

function isWithin(
  today: string,
  { withinDays, createdWithinDays }: Window,
): (invoice: ExpiringInvoice) => boolean {
  const createdFrom = addDays(today, -createdWithinDays);
  const expiresUntil = addDays(today, withinDays);
  return ({ createdOn, expiresOn }) =>
    createdOn >= createdFrom && createdOn <= today && expiresOn >= today && expiresOn <= expiresUntil;
}

/** Of one day. */
function ofDay(
  name: string,
  unit: Unit,
  needs: readonly Need[],
  value: MeasureOfRule['value'],
  items: Exclude<keyof Behind, 'expiring'> | null = null,
): Measure {
  const behind = (readings: Readings) => (items === null ? [] : readings.behind[items]);
  const parameters = z.lazy(() =>
    z.object({}).transform(() => ({ value, sealedDaysBack: 0, behind, days: null })),
  );
  return { name, unit, needs, ofDay: true, items, usual: null, parameterNames: [], parameters };
}

/**
 * Unpaid invoices that expire within `withinDays` and were created within `createdWithinDays`, today
 * included.
 */
const expiringUnpaid: Measure = {
  name: 'expiringUnpaid',
  unit: 'count',
  needs: ['expiring'],
  ofDay: false,
  items: 'expiring',
  usual: null,
  parameterNames: ['withinDays', 'createdWithinDays'] satisfies (keyof Window)[],
  parameters: z.lazy(() =>
    windowSchema.unwrap().transform((window) => ({
      value: ({ expiring, today }: Readings) =>
        thousandthsOf(expiring?.filter(isWithin(today, window)).length),
      sealedDaysBack: window.createdWithinDays,
      behind: ({ behind, today }: Readings) => {
        const soonest = behind.expiring.filter(isWithin(today, window)).sort(byExpiry);
        return soonest.slice(0, MOST_ITEMS).map(({ createdOn: _createdOn, ...item }) => item);
      },
      days: window.withinDays,
    })),
  ),
};

const MILLISECONDS = 3_600n;

/** Hours, cut to thousandths. Changes of the clock do not matter. */
const reportAge: Measure = {
  ...ofDay('reportAge', 'hours', ['lastSealed'], ({ now, lastSealedAt }) =>
    lastSealedAt === null ? null : BigInt(Math.max(0, now - lastSealedAt)) / MILLISECONDS,
  ),
  ofDay: false,
};

/** In percent of the average of the earlier days. */
function shareOfUsual(name: string, need: 'usualSoFar' | 'usualDay'): Measure {
  const value = ({ [need]: found }: Readings) =>
    found === null || isWithoutUsual(found) ? null : shareOf(found.amount * BigInt(found.days), found.sum);
  return { ...ofDay(name, 'percent', [need], value), ofDay: need === 'usualSoFar', usual: need };
}

function shareOfCounts(part: number | null | undefined, counts: Counts | null): Thousandths | null {
  return shareOf(thousandthsOf(part), thousandthsOf(counts?.total));
}

/** `refundShare` is of the sum of the day's paid invoices. */
export const MEASURES: readonly Measure[] = [
  ofDay('invoiceCount', 'count', ['counts'], ({ counts }) => thousandthsOf(counts?.total)),
  ofDay('unpaidCount', 'count', ['counts'], ({ counts }) => thousandthsOf(counts?.notPaid), 'unpaid'),
  ofDay(
    'unpaidShare',
    'percent',
    ['counts'],
    ({ counts }) => shareOfCounts(counts?.notPaid, counts),
    'unpaid',
  ),
  ofDay('unpaidAmount', 'amount', ['amounts'], ({ amounts }) => amounts?.unpaid ?? null, 'unpaid'),
  ofDay('cancelledCount', 'count', ['counts'], ({ counts }) => thousandthsOf(counts?.cancelled), 'cancelled'),
  ofDay(
    'cancelledShare',
    'percent',
    ['counts'],
    ({ counts }) => shareOfCounts(counts?.cancelled, counts),
    'cancelled',
  ),
  ofDay('refundCount', 'count', ['refunds'], ({ refunds }) => thousandthsOf(refunds?.count), 'refunds'),
  ofDay('refundTotal', 'amount', ['refunds'], ({ refunds }) => refunds?.total ?? null, 'refunds'),
  ofDay(
    'refundShare',
    'percent',
    ['refunds', 'amounts'],
    ({ refunds, amounts }) => shareOf(refunds?.total, amounts?.paid),
    'refunds',
  ),
  ofDay('largestRefund', 'amount', ['refunds'], ({ refunds }) => refunds?.largest ?? null, 'refunds'),
  expiringUnpaid,
  reportAge,
  shareOfUsual('shareOfUsualSoFar', 'usualSoFar'),
  shareOfUsual('shareOfUsualDay', 'usualDay'),
];
