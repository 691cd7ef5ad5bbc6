import { createHash } from 'node:crypto';
import { addDays } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { CHARGE_COLUMNS } from '#domain/figures/charges.ts';
import type { Breakdown, CountAndAmount } from '#domain/figures/breakdown.ts';
import type { Amounts, Counts, DayRefunds } from '#domain/figures/figures.ts';
import { HISTORY_DAYS } from '#domain/figures/history.ts';
import type { DayFigures } from '#domain/figures/history.ts';
import { formatAmount } from '#domain/money/money.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import { dataKey, manifestKey } from '#domain/storage/keys.ts';
import type { DaySize } from '../sizes.ts';

const TYPES = ['1', '0', '6', '7'];
const METHODS = ['KNET', 'VISA/MASTER', 'APPLE PAY'];
/** Thousandths of an invoice, of a refund and of a charge, which are added to the day of the month. */
const PRICE = 7_350n;
const REFUND = 4_125n;
const CHARGE = 150n;

/** What a made day comes to, for the check of its month. Amounts are thousandths. */
export interface DayTruth {
  total: number;
  paid: number;
  received: bigint;
  refunded: bigint;
}

function priceOf(day: Day): bigint {
  return PRICE + BigInt(day.slice(-2));
}

/** @param more invoices that a later revision has found */
export function truthOf(day: Day, { invoices, refunds }: DaySize, more = 0): DayTruth {
  const total = invoices + more;
  const paid = Math.floor(total * 0.7);
  return { total, paid, received: BigInt(paid) * priceOf(day), refunded: BigInt(refunds) * REFUND };
}

function times(count: number, price: bigint): CountAndAmount {
  return { count, amount: formatAmount(BigInt(count) * price) };
}

function countsOf({ total, paid }: DayTruth): Counts {
  return { total, paid, notPaid: total - paid, cancelled: 0, other: 0 };
}

function amountsOf({ total, paid }: DayTruth, price: bigint): Amounts {
  const of = (count: number) => times(count, price).amount;
  return { paid: of(paid), notPaid: of(total - paid), cancelled: of(0), other: of(0) };
}

function refundsOf(count: number): DayRefunds {
  const total = formatAmount(BigInt(count) * REFUND);
  const none = { count: 0, total: formatAmount(0n) };
  const byStatus = { approved: { count, total }, pending: none, rejected: none };
  return { count, total, byStatus, saleBasis: { count, total, byStatus } };
}

/** All parts of a number: equal ones, and the rest in the first. */
function shares(count: number, parts: number): number[] {
  const share = Math.floor(count / parts);
  return Array.from({ length: parts }, (_, part) => (part === 0 ? count - share * (parts - 1) : share));
}

function breakdownOf({ total, paid }: DayTruth, price: bigint): Breakdown {
  const paidShares = shares(paid, TYPES.length);
  return {
    byType: shares(total, TYPES.length).map((count, index) => {
      const paidOfType = Math.min(count, paidShares[index] ?? 0);
      const states = {
        paid: times(paidOfType, price),
        notPaid: times(count - paidOfType, price),
        cancelled: times(0, price),
        other: times(0, price),
      };
      return { type: TYPES[index] ?? null, all: times(count, price), states };
    }),
    byMethod: shares(paid, METHODS.length).map((count, index) => {
      return { method: METHODS[index] ?? null, ...times(count, price) };
    }),
    charges: CHARGE_COLUMNS.map((column) => ({ column, total: times(paid, CHARGE).amount })),
  };
}

function historyOf(day: Day, size: DaySize): DayFigures[] {
  return Array.from({ length: HISTORY_DAYS }, (_, back) => {
    const earlier = addDays(day, -1 - back);
    const truth = truthOf(earlier, size);
    const { count, total } = refundsOf(size.refunds);
    const figures = { counts: countsOf(truth), amounts: amountsOf(truth, priceOf(earlier)) };
    return { day: earlier, revision: 1, balanced: true, ...figures, refunds: { count, total } };
  });
}

function digestOf(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('hex');
}

/** The sealed days of a merchant without their rows, as large as real ones: a statement reads only these. */
export function madeManifest(
  merchantCode: string,
  day: Day,
  size: DaySize,
  { revision = 1, more = 0 }: { revision?: number; more?: number } = {},
): Manifest {
  const truth = truthOf(day, size, more);
  const digest = digestOf(merchantCode, day, revision);
  const pull = `${addDays(day, 1).replaceAll('-', '')}T030005Z-${digest.slice(0, 8)}`;
  const file = (table: 'invoices' | 'refunds', format: 'json' | 'csv') => {
    const rows = table === 'invoices' ? truth.total : size.refunds;
    const key = dataKey(table, format, day, merchantCode, pull);
    return { table, format, key, rows, bytes: 400 + 60 * rows, sha256: digestOf(digest, table, format) };
  };
  const price = priceOf(day);
  return {
    merchantCode,
    day,
    merchantId: '1084',
    revision,
    pull,
    pulledAt: `${addDays(day, 1)}T03:00:07.480Z`,
    soFarUntil: null,
    scheduledTime: `${addDays(day, 1)}T03:00:00Z`,
    balanced: true,
    differences: [],
    notCompared: [],
    counts: countsOf(truth),
    amounts: amountsOf(truth, price),
    refunds: refundsOf(size.refunds),
    breakdown: breakdownOf(truth, price),
    missingRefundIds: [],
    digest,
    drift: {
      unknownFields: { invoices: [], refunds: [] },
      renamedFields: { invoices: {}, refunds: {} },
      unknownInvoiceStatuses: {},
      unknownRefundStatuses: {},
      otherDays: { count: 0, ids: [] },
      refundsWithoutDay: { count: 0, total: '0.000', byStatus: {}, ids: [] },
      repeatedFields: { invoices: {}, refunds: {} },
      misfits: { invoices: [], refunds: [], invoiceList: [], refundList: [] },
      notListed: { invoices: 0, refunds: 0, invoiceStatuses: 0, refundStatuses: 0 },
    },
    history: historyOf(day, size),
    previous: revision === 1 ? null : manifestKey(day, merchantCode, revision - 1),
    files: [
      file('invoices', 'json'),
      file('invoices', 'csv'),
      file('refunds', 'json'),
      file('refunds', 'csv'),
    ],
  };
}
