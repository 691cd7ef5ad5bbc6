import { REGISTERED_MERCHANTS } from '#records/storage/keys.ts';
import type { RegisteredMerchant } from '#lake/sql/registered-merchant.ts';
import { addDays, type Day } from '#records/day/business-day.ts';
import type { ChargeColumn } from '#records/figures/charges.ts';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { decimal } from '#sandbox/payments/day/amounts.ts';
import { datetime } from '#sandbox/payments/day/calendar.ts';
import { paidTransaction } from '#sandbox/payments/day/invoice-record.ts';
import { seededRandom, type Random } from '#sandbox/payments/day/random.ts';
import { seededInvoices, seededRefunds } from '#sandbox/payments/day/seed.ts';
import { membersOf, defined } from '#support/assertions/index.ts';
import { sealPage, type PageRecords, type PutObject } from '#support/pages/generated-lake.ts';

/** What `current_date` says. Every page was last read that morning. */
export const TODAY: Day = '2026-11-22';
export const SEED = '1';
export const FIRST: Day = '2026-09-01';
const LAST: Day = addDays(TODAY, -1);
export const DAYS: Day[] = Array.from({ length: 82 }, (_, index) => addDays(FIRST, index));
/** Days of the first merchant that have an older revision, too. */
const REREAD = DAYS.slice(-8);

const INVOICE_STATUSES = { 0: 'not_paid', 1: 'paid', 3: 'cancelled' } as const;
const REFUND_STATUSES = { 0: 'pending', 1: 'approved', 2: 'rejected' };

interface Seller {
  place: number;
  currency: string;
  charges: ChargeColumn[];
}
const SELLERS: readonly Seller[] = [
  { place: 0, currency: 'KWD', charges: ['admin_charge', 'service_charge'] },
  { place: 1, currency: 'SAR', charges: [] },
  { place: 2, currency: 'KWD', charges: ['admin_charge'] },
];

/** Amounts are thousandths. */
interface Of {
  merchant: string;
  currency: string;
  /** Of the page. */
  day: Day;
  id: string;
  status: string;
  state: string;
  amount: bigint;
}

export interface TrueInvoice extends Of {
  /** The day on which its payment counts; `null`: it is not paid. */
  received: Day | null;
  method: string | null;
  /** What its merchant bears, if it is paid. */
  charge: bigint;
  lastDay: Day;
}

export interface TrueRefund extends Of {
  updated: string;
  sold: Day;
}

/** A record that a second revision changed. */
export interface TrueChange extends Pick<Of, 'merchant' | 'day' | 'id'> {
  kind: 'invoice' | 'refund';
  change: 'new' | 'vanished' | 'changed';
  before: Pick<Of, 'status' | 'amount'> | null;
  after: Pick<Of, 'status' | 'amount'> | null;
}

/** What is in the lake, told apart from its statements. */
export interface RandomMonths {
  invoices: TrueInvoice[];
  refunds: TrueRefund[];
  changes: TrueChange[];
  /** A page that does not balance. */
  unbalanced: { merchant: string; day: Day };
  /** A merchant of the registry that has no page, and since when the lake knows it. */
  silent: { merchant: string; since: Day };
}

export function thousandths(amount: unknown): bigint {
  return BigInt(String(amount).replace('.', ''));
}

type Row = PageRecords['invoices'][number];

/** What became of an invoice until today: also late payments, payments without a time, and states without a word. */
function settle(random: Random, day: Day, invoice: Row): Row {
  const place = random.below(100);
  if (place < 4) return { ...invoice, invoice_status: 9 };
  if (invoice['invoice_status'] === 1 && place < 10) {
    const { transaction } = invoice;
    return { ...invoice, transaction: { ...membersOf(transaction), paid_on: null, payment_type: ' ' } };
  }
  const paidOn = addDays(day, 1 + random.below(45));
  if (invoice['invoice_status'] !== 0 || place > 55 || paidOn > LAST) return invoice;
  const moment = datetime(paidOn, random.below(86_400));
  const transaction = paidTransaction(random, String(invoice['amount']), moment);
  return { ...invoice, invoice_status: 1, updated_at: moment, transaction };
}

function recordOf(row: Row, status: unknown, words: Record<string, string>) {
  const state = words[String(status)] ?? 'other';
  return { id: String(row['id']), status: String(status), state, amount: thousandths(row['amount']) };
}

function invoiceOf({ currency, charges }: Seller, merchant: string, day: Day, row: Row): TrueInvoice {
  const isPaid = row['invoice_status'] === 1;
  const { paid_on: paidOn, payment_type: method } = membersOf(row['transaction']);
  const paidAt = typeof paidOn === 'string' ? paidOn : day;
  return {
    ...{ merchant, currency, day },
    ...recordOf(row, row['invoice_status'], INVOICE_STATUSES),
    received: isPaid ? paidAt.slice(0, 10) : null,
    method: isPaid && String(method).trim() !== '' ? String(method) : null,
    charge: isPaid ? charges.reduce((sum, column) => sum + thousandths(row[column]), 0n) : 0n,
    lastDay: String(row['expires_at']),
  };
}

function refundOf({ currency }: Seller, merchant: string, day: Day, row: Row): TrueRefund {
  return {
    ...{ merchant, currency, day },
    ...recordOf(row, row['status'], REFUND_STATUSES),
    updated: String(row['updated_at']),
    sold: String(row['transaction_date']).slice(0, 10),
  };
}

function sumOf(amounts: readonly bigint[]): { count: number; sum: string } {
  return { count: amounts.length, sum: decimal(amounts.reduce((sum, amount) => sum + amount, 0n)) };
}

function receivedOn(day: Day, own: readonly TrueInvoice[], rows: ReadonlyMap<string, Row>) {
  const came = own.filter(({ received }) => received === day);
  const amounts = (list: readonly TrueInvoice[]) => sumOf(list.map(({ amount }) => amount));
  const total = (column: ChargeColumn) =>
    sumOf(came.map(({ id }) => thousandths(rows.get(id)?.[column]))).sum;
  return {
    ...amounts(came),
    ofEarlier: amounts(came.filter((invoice) => invoice.day < day)),
    byMethod: [],
    charges: (['admin_charge', 'service_charge'] as const).map((column) => ({
      column,
      total: total(column),
    })),
    basis: { paidOn: came.length, seen: 0, otherCurrency: 0 },
  };
}

/** What an older reading of a page said: one row more, one less, and one with another amount and status. */
function olderReading(rows: readonly Row[]): { older: Row[]; gone: Row; missing: Row; other: Row } {
  const [missing, changed, ...rest] = rows;
  const gone = { ...defined(rest[0]), id: Number(defined(rest[0])['id']) + 500_000 };
  const status = changed?.['invoice_status'] === 0 ? 3 : 0;
  const other = { ...changed, amount: '1234.500', invoice_status: status };
  return { older: [other, ...rest, gone], gone, missing: defined(missing), other };
}

function changed(kind: TrueChange['kind'], after: Of, amount: bigint, status = after.status): TrueChange {
  return { ...after, kind, change: 'changed', before: { amount, status }, after };
}

/** Seals three months of three merchants. @returns the truth */
export async function sealRandomMonths(put: PutObject): Promise<RandomMonths> {
  const random = seededRandom(`months ${SEED}`);
  const truth: RandomMonths = {
    invoices: [],
    refunds: [],
    changes: [],
    unbalanced: { merchant: '700003', day: random.pick(DAYS.slice(-30)) },
    silent: { merchant: '700009', since: addDays(TODAY, -4) },
  };
  for (const seller of SELLERS) {
    const { merchantCode, merchantId = 0, name } = sandboxMerchant(seller.place);
    const rows = new Map<string, Row>();
    const pages = DAYS.map((day, index) => {
      const firstId = (seller.place + 1) * 1_000_000 + index * 100;
      const target = { merchantCode, merchantId, merchantName: name, day, firstId };
      const size = { invoices: 3 + random.below(6), refunds: random.below(4), seed: random.below(1_000) };
      const invoices = [...seededInvoices(target, size)].map((row) => settle(random, day, row));
      return { day, invoices, refunds: [...seededRefunds(target, size)] };
    });
    // A refund of the day after was pending on this page, and has another date now.
    for (const [index, page] of pages.entries()) {
      const [refund] = pages[index + 1]?.refunds ?? [];
      if (refund === undefined || !random.chance(20)) continue;
      page.refunds.push({ ...refund, status: 0, refund_at: page.day, updated_at: `${page.day} 00:00:00` });
    }
    const own = pages.flatMap(({ day, invoices }) =>
      invoices.map((row) => {
        rows.set(String(row['id']), row);
        return invoiceOf(seller, merchantCode, day, row);
      }),
    );
    truth.invoices.push(...own);
    for (const { day, refunds, invoices } of pages) {
      truth.refunds.push(...refunds.map((row) => refundOf(seller, merchantCode, day, row)));
      const words = {
        currency: seller.currency,
        timeZone: 'Asia/Kuwait',
        invoiceStatuses: INVOICE_STATUSES,
        refundStatuses: REFUND_STATUSES,
        charges: seller.charges,
        received: receivedOn(day, own, rows),
        balanced: merchantCode !== truth.unbalanced.merchant || day !== truth.unbalanced.day,
      };
      const page = { merchantCode, day, pulledAt: `${TODAY}T03:00:00Z` };
      const isReread = seller.place === 0 && REREAD.includes(day);
      if (isReread) {
        const { older, gone, missing, other } = olderReading(invoices);
        const was = { invoices: older, refunds: refunds.map((row) => ({ ...row, amount: '77.000' })) };
        await sealPage(put, { ...page, revision: 1 }, was, words);
        truth.changes.push(
          ...refunds.map((row) => changed('refund', refundOf(seller, merchantCode, day, row), 77_000n)),
        );
        const side = (row: Row) => invoiceOf(seller, merchantCode, day, row);
        const now = side(defined(rows.get(String(other['id']))));
        truth.changes.push(
          { ...side(missing), kind: 'invoice', change: 'new', before: null, after: side(missing) },
          changed('invoice', now, side(other).amount, side(other).status),
          { ...side(gone), kind: 'invoice', change: 'vanished', before: side(gone), after: null },
        );
      }
      await sealPage(put, { ...page, revision: isReread ? 2 : 1 }, { invoices, refunds }, words);
    }
  }
  await put(
    REGISTERED_MERCHANTS,
    registered(truth.silent)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  return truth;
}

/** What the registry said: the sellers, one that is silent, and one that is gone. */
function registered(silent: RandomMonths['silent']): RegisteredMerchant[] {
  const line = (merchantCode: string, since: Day, until: string | null = null): RegisteredMerchant => ({
    merchantCode,
    name: `Shop ${merchantCode}`,
    timeZone: 'Asia/Kuwait',
    currency: 'KWD',
    invoiceStatuses: INVOICE_STATUSES,
    refundStatuses: REFUND_STATUSES,
    charges: [],
    groups: [],
    since: `${since}T00:00:00.000Z`,
    until,
  });
  return [
    ...SELLERS.map(({ place }) => line(sandboxMerchant(place).merchantCode, FIRST)),
    line(silent.merchant, silent.since),
    line('700010', FIRST, `${LAST}T00:00:00.000Z`),
  ];
}
