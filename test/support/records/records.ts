import { parse } from 'csv-parse/sync';
import { addDays, type Day } from '#records/day/business-day.ts';
import type { Outcomes } from '#records/figures/invoice-outcomes.ts';
import { OutcomeTally, type EarlierOutcomes, pagePayments } from '#records/figures/outcome-tally.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import { defined, fc, membersOf } from '#support/assertions/index.ts';
import type { Manifest, Table } from '#records/revision/manifest.ts';
import { isMembers, parseExactJson, type Members } from '#records/json/exact-json.ts';
import { RowLines, beginningsOf, type Lines } from '#records/rows/row-lines.ts';

/** An invoice and what becomes of it, in days after the day on which it was made. */
export interface MadeInvoice {
  id: number;
  /** The last one has no name. */
  status: 0 | 1 | 3 | 9;
  /** Thousandths. */
  amount: bigint;
  /** `null`: its payment time is unreadable. */
  paidAfter: number | null;
  /** Until the last day of its link; `null`: it says none. */
  linkDays: number | null;
}

export const OUTCOME_SETTINGS = {
  timeZone: 'Asia/Kuwait',
  invoiceTypes: ['1'],
  invoiceStatuses: { '0': 'not_paid', '1': 'paid', '3': 'cancelled' },
} as const;

/** @param most days until a payment and until the end of a link */
export function anyInvoices(most: number, maxLength: number): fc.Arbitrary<MadeInvoice[]> {
  const invoice = fc.record<MadeInvoice>({
    id: fc.nat(),
    status: fc.constantFrom(0, 0, 1, 1, 3, 9),
    amount: fc.bigInt(1n, 10n ** 9n),
    paidAfter: fc.option(fc.nat(most)),
    linkDays: fc.option(fc.nat(most)),
  });
  return fc.uniqueArray(invoice, { selector: ({ id }) => id, maxLength });
}

/** What became of the invoices of a day, as it was read on another. */
export function outcomesOf(
  day: Day,
  readOn: Day,
  invoices: readonly MadeInvoice[],
  before?: EarlierOutcomes,
): Outcomes {
  const tally = new OutcomeTally(day, Date.parse(`${readOn}T03:00:00Z`), OUTCOME_SETTINGS, before);
  for (const { id, status, amount, paidAfter, linkDays } of invoices) {
    tally.add(
      '1',
      { id, invoice_status: status, amount: formatAmount(amount) },
      {
        expires_at: linkDays === null ? 'never' : addDays(day, linkDays),
        transaction: {
          paid_on: paidAfter === null ? null : `${addDays(day, paidAfter)} 12:00:00`,
          payment_type: 'KNET',
        },
      },
    );
  }
  return defined(tally.outcomes());
}

/** The payments of a page, by its figures: all on the day. The links of half of the unpaid ones end the next day, the others a month later. */
export function paymentsOf({ day, counts, amounts, breakdown }: Manifest) {
  if (amounts === null) return pagePayments({ day, outcomes: null });
  const { paid, notPaid, cancelled, other } = counts;
  const soon = Math.floor((notPaid ?? 0) / 2);
  const soonSum = parseSum(amounts.notPaid) / 2n;
  return pagePayments({
    day,
    currency: 'KWD',
    outcomes: {
      paid: [
        {
          day,
          count: paid ?? 0,
          amount: amounts.paid,
          seen: 0,
          byMethod: breakdown?.byMethod ?? [],
          charges: breakdown?.charges ?? [],
        },
      ],
      cancelled: [{ day, count: cancelled ?? 0, amount: amounts.cancelled }],
      open: [
        { lastDay: addDays(day, 1), count: soon, amount: formatAmount(soonSum) },
        {
          lastDay: addDays(day, 30),
          count: (notPaid ?? 0) - soon,
          amount: formatAmount(parseSum(amounts.notPaid) - soonSum),
        },
      ],
      other: { count: other ?? 0, amount: amounts.other },
      seen: [],
    },
    followed: { stated: {}, pendingRefunds: [] },
  });
}

/** An unpaid invoice as the service sends it, with every member of the contract. */
export function invoiceRecord(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 501,
    invoice_type: 1,
    invoice_sub_type: 0,
    order_drop_id: 0,
    token: 'TOKEN501',
    access_key: 'ACCESS',
    split_access_key: '',
    merchant_id: '1084',
    reference_number: 'INV-501',
    amount: '12.500',
    admin_charge: '0.150',
    service_charge: '0.000',
    subscription: 0,
    discount: '0.000',
    description: 'two coffees',
    sms_response: '{"result":true}',
    invoice_status: 0,
    payment_method: ['1', '2'],
    sms_status: 1,
    url_status: 1,
    visited_count: 0,
    country_id: 1,
    created_id: 3,
    language: 'ar',
    expires_at: '2026-11-25',
    url: 'https://pay.example.com/invoice/TOKEN501',
    spliturl: null,
    created_at: '2026-11-20 10:00:00',
    updated_at: '2026-11-20 10:00:00',
    rentperiod: null,
    transaction: {
      payment_type_id: null,
      payment_id: null,
      post_date: null,
      result_code: null,
      track_id: null,
      transaction_id: null,
      reference_number: null,
      payment_type: null,
      paid_on: null,
      Auth: null,
      Amount: null,
      admin_charge: null,
    },
    customer: { name: 'نورة', email: 'n@example.com', phone_number: '50000000' },
    created_by_merchant: { id: 1084, name: 'Cafe' },
    products: [],
    ...change,
  };
}

/** An approved refund as the service sends it, with every member of the contract. */
export function refundRecord(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 1400,
    merchant_id: 84,
    amount: '650.000',
    refund_at: '2026-11-20',
    document_number: '',
    token: 'TOKEN1400',
    transaction_date: '2026-11-18 09:30:00',
    order_reference_number: 'ORD-1',
    recover_method: '1',
    status: 1,
    refund_method: '1',
    remarks: 'Auto Refund Approved',
    approved_by: 'Admin',
    total_balance_amount: '0.000',
    total_refunded_amount: '650.000',
    total_transaction_amount: '650.000',
    created_at: '2026-11-20 12:00:00',
    updated_at: '2026-11-20 12:05:00',
    transaction: {
      id: 77,
      amount: 650.25,
      admin_charge: 0.15,
      token: 'TOKEN1400',
      payment_id: 1,
      payment_name: 'KNET',
      display_name: 'KNET',
      track_id: '123',
      transaction_id: '456',
      service_id: 1,
      auth: 'B12345',
      status: 1,
      created_at: '2026-11-18 09:30:00',
    },
    ...change,
  };
}

/** The same value with the members of every object the other way round. */
export function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

/** The same value with the members of every object in the order of their names. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isMembers(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name])]));
}

function linesOf(table: Table, record: Members, unknown = new Map<string, string>()): Lines {
  const queryType = table === 'invoices' ? '1' : null;
  const origin = { merchantCode: '700001', day: '2026-11-20', queryType };
  return new RowLines(table, unknown).of(record, beginningsOf(origin));
}

/** A record's line of JSON; `unknown` collects the names that the contract does not know. */
export function jsonLine(table: Table, record: Members, unknown?: Map<string, string>): string {
  return linesOf(table, record, unknown).json.toString();
}

/** A record as it stands in its line of JSON. */
export function writtenRow(table: Table, record: Members, unknown?: Map<string, string>): Members {
  return membersOf(parseExactJson(jsonLine(table, record, unknown)));
}

export function csvLine(table: Table, record: Members): string {
  return linesOf(table, record).csv.toString();
}

/** A record's cells as csv-parse reads them. */
export function csvCells(table: Table, record: Members): string[] {
  return parse(csvLine(table, record), {})[0] ?? [];
}

/** By another way than the functions add: the digits are added as whole numbers. `null` when one is unknown. */
export function sumOfTexts(texts: readonly (string | null | undefined)[]): string | null {
  let sum = 0n;
  for (const text of texts) {
    if (text === null || text === undefined) return null;
    sum += BigInt(text.replace('.', ''));
  }
  const digits = `${sum < 0n ? -sum : sum}`.padStart(4, '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}
