import { addDays } from '#records/day/business-day.ts';
import type { Counts } from '#records/figures/figure-schemas.ts';
import type { AlertItem, AlertLine } from '#records/ledger/alert-line.ts';
import { divided, formatAmount, type Thousandths } from '#records/money/money.ts';
import type { Rule } from '#registry/alert-rules.ts';
import { byExpiry, MOST_ITEMS, type Behind } from './behind.ts';

export interface ExpiringInvoice {
  createdOn: string;
  expiresOn: string;
}

/** The kinds of readings. A check reads only what its rules need. */
export type Need = 'counts' | 'amounts' | 'refunds' | 'expiring' | 'lastSealed' | 'usualSoFar' | 'usualDay';

/** An amount of a day against the average of earlier days like it. */
export interface AgainstUsual {
  /** Left out where there is nothing to compare. */
  line?: NonNullable<AlertLine['usual']>;
  /** The amount in percent of the average, in thousandths. */
  share?: Thousandths | null;
  /** Why there is no share. */
  why?: string;
}

/** One day alone is not what is usual. */
const LEAST_DAYS = 2;

/** @param earlier what the earlier days had together, and how many they are */
export function againstUsual(
  of: Omit<NonNullable<AlertLine['usual']>, 'amount' | 'average' | 'days'>,
  amount: Thousandths,
  { sum, days }: { sum: Thousandths; days: number },
): AgainstUsual {
  const average = days === 0 ? null : formatAmount(divided(sum, BigInt(days)));
  const line = { ...of, amount: formatAmount(amount), average, days };
  // Also where nothing came in on them by then.
  if (days < LEAST_DAYS || sum <= 0n) return { line, why: 'too little history' };
  return { line, share: shareOf(amount * BigInt(days), sum) };
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
  /**
   * By the measure that is a share of it: what was paid of the day's invoices on the day so far; and what came in on the newest
   * sealed day, by first readings. Not there: not read, or reading failed.
   */
  usual: Partial<Record<Rule['measure'], AgainstUsual | null>>;
  behind: Behind;
}

interface Figure {
  needs: readonly Need[];
  /** In thousandths of the unit; `null` when it is unknown. */
  value: (readings: Readings, rule: Rule) => Thousandths | null;
  /** Which of the readings' invoices and refunds are behind it. Left out for none. */
  items?: keyof Behind;
}

function thousandthsOf(count: number | null | undefined): Thousandths | null {
  return count === null || count === undefined ? null : BigInt(count) * 1_000n;
}

/** A share in thousandths of a percent, rounded half up. `null` when a part is unknown or the whole is zero. */
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

function isWithin(today: string, { withinDays = 0, createdWithinDays = 0 }: Rule) {
  const createdFrom = addDays(today, -createdWithinDays);
  const expiresUntil = addDays(today, withinDays);
  return ({ createdOn, expiresOn }: ExpiringInvoice) =>
    createdOn >= createdFrom && createdOn <= today && expiresOn >= today && expiresOn <= expiresUntil;
}

const MILLISECONDS = 3_600n;

function countOf(count: keyof Counts, items?: keyof Behind): Figure {
  return {
    needs: ['counts'],
    value: ({ counts }) => thousandthsOf(counts?.[count]),
    ...(items && { items }),
  };
}

function shareOfCounts(part: keyof Counts, items: keyof Behind): Figure {
  const value = ({ counts }: Readings) =>
    shareOf(thousandthsOf(counts?.[part]), thousandthsOf(counts?.total));
  return { needs: ['counts'], value, items };
}

const FIGURES: Readonly<Record<Rule['measure'], Figure>> = {
  invoiceCount: countOf('total'),
  unpaidCount: countOf('notPaid', 'unpaid'),
  unpaidShare: shareOfCounts('notPaid', 'unpaid'),
  unpaidAmount: { needs: ['amounts'], value: ({ amounts }) => amounts?.unpaid ?? null, items: 'unpaid' },
  cancelledCount: countOf('cancelled', 'cancelled'),
  cancelledShare: shareOfCounts('cancelled', 'cancelled'),
  refundCount: {
    needs: ['refunds'],
    value: ({ refunds }) => thousandthsOf(refunds?.count),
    items: 'refunds',
  },
  refundTotal: { needs: ['refunds'], value: ({ refunds }) => refunds?.total ?? null, items: 'refunds' },
  /** Of the sum of the day's paid invoices. */
  refundShare: {
    needs: ['refunds', 'amounts'],
    value: ({ refunds, amounts }) => shareOf(refunds?.total, amounts?.paid),
    items: 'refunds',
  },
  largestRefund: { needs: ['refunds'], value: ({ refunds }) => refunds?.largest ?? null, items: 'refunds' },
  expiringUnpaid: {
    needs: ['expiring'],
    value: ({ expiring, today }, rule) => thousandthsOf(expiring?.filter(isWithin(today, rule)).length),
    items: 'expiring',
  },
  /** Hours, cut to thousandths. Changes of the clock do not matter. */
  reportAge: {
    needs: ['lastSealed'],
    value: ({ now, lastSealedAt }) =>
      lastSealedAt === null ? null : BigInt(Math.max(0, now - lastSealedAt)) / MILLISECONDS,
  },
  shareOfUsualSoFar: { needs: ['usualSoFar'], value: ({ usual }) => usual.shareOfUsualSoFar?.share ?? null },
  shareOfUsualDay: { needs: ['usualDay'], value: ({ usual }) => usual.shareOfUsualDay?.share ?? null },
};

/** A rule's figure, in thousandths of its unit; `null` when it is unknown. */
export function valueOf(rule: Rule, readings: Readings): Thousandths | null {
  return FIGURES[rule.measure].value(readings, rule);
}

/** Which invoices or refunds are behind a measure, by its stored name. */
export function kindBehind(measure: string): keyof Behind | undefined {
  return Object.entries(FIGURES).find(([name]) => name === measure)?.[1].items;
}

/** The invoices and refunds behind a rule's figure, the most important first. */
export function itemsBehind(rule: Rule, { behind, today }: Readings): readonly AlertItem[] {
  const { items } = FIGURES[rule.measure];
  if (items === undefined) return [];
  if (items !== 'expiring') return behind[items];
  const soonest = behind.expiring.filter(isWithin(today, rule)).sort(byExpiry);
  return soonest.slice(0, MOST_ITEMS).map(({ createdOn: _createdOn, ...item }) => item);
}

export interface Needs {
  needs: ReadonlySet<Need>;
  /** Days before today whose sealed pages are read for `expiring`. */
  sealedDaysBack: number;
}

export function needsOf(rules: readonly Rule[]): Needs {
  return {
    needs: new Set(rules.flatMap(({ measure }) => FIGURES[measure].needs)),
    sealedDaysBack: Math.max(0, ...rules.map(({ createdWithinDays = 0 }) => createdWithinDays)),
  };
}
