import { decimal } from './amounts.ts';
import { addDays, datetime, DAY_SECONDS } from './calendar.ts';
import { customer, description } from './names.ts';
import type { Random } from './random.ts';

/** `invoice_status` in the sandbox: the published cancel operation sends 3; 0 and 1 are in samples. */
export const INVOICE_STATUS = { unpaid: 0, paid: 1, cancelled: 3 } as const;

/** `invoice_type`: 1 single, 0 subscription, 6 split, 7 instalment (docs/contract.md, 4.1 Invoice list). */
export type InvoiceType = 0 | 1 | 6 | 7;

interface InvoiceSeed {
  id: number;
  type: InvoiceType;
  status: number;
  day: string;
  /** The second of the day in which it was created. */
  second: number;
  merchantId: number;
  merchantName: string;
}

const PAYMENT_TYPES = [
  { id: 1, name: 'KNET' },
  { id: 2, name: 'Credit Card' },
  { id: 9, name: 'Apple Pay' },
];

const UNPAID_TRANSACTION = {
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
};

/** Thousandths of a currency unit, with a long tail: usually a few units, sometimes tens of thousands. */
export function longTailedAmount(random: Random): bigint {
  const place = random.below(1000);
  const [from, to] =
    place < 350
      ? [1, 5]
      : place < 700
        ? [5, 25]
        : place < 900
          ? [25, 150]
          : place < 990
            ? [150, 2500]
            : [2500, 40_000];
  const step = random.pick([1000, 500, 250, 50, 5, 1]);
  return BigInt(from * 1000 + random.below(((to - from) * 1000) / step) * step);
}

/** The `transaction` of an invoice paid at `paidOn` (datetime). The contract does not show the types of its members. */
export function paidTransaction(random: Random, amount: string, paidOn: string): Record<string, unknown> {
  const payment = random.pick(PAYMENT_TYPES);
  return {
    payment_type_id: payment.id,
    payment_id: `10${random.digits(16)}`,
    post_date: paidOn.slice(5, 10).replace('-', ''),
    result_code: 'CAPTURED',
    track_id: random.digits(14),
    transaction_id: random.digits(15),
    reference_number: random.digits(12),
    payment_type: payment.name,
    paid_on: paidOn,
    Auth: random.chance(50) ? `B${random.digits(5)}` : random.digits(6),
    Amount: amount,
    admin_charge: payment.id === 1 ? '0.150' : '0.300',
  };
}

function products(random: Random): unknown[] {
  if (!random.chance(10)) return [];
  return Array.from({ length: 1 + random.below(3) }, () => ({
    id: Number(random.digits(5)),
    name: description(random),
    quantity: 1 + random.below(4),
    price: decimal(longTailedAmount(random)),
  }));
}

/** In the order of docs/contract.md, 2.3 Invoice record. The same seed gives the same text. */
export function invoiceRecord(random: Random, seed: InvoiceSeed): Record<string, unknown> {
  const token = random.characters(20);
  const amount = decimal(longTailedAmount(random));
  const createdAt = datetime(seed.day, seed.second);
  const changedSecond = seed.second + random.below(Math.min(3 * 3600, DAY_SECONDS - seed.second));
  const changedAt = seed.status === INVOICE_STATUS.unpaid ? createdAt : datetime(seed.day, changedSecond);
  const paid = seed.status === INVOICE_STATUS.paid;
  const split = seed.type === 6;
  return {
    id: seed.id,
    invoice_type: seed.type,
    invoice_sub_type: random.chance(5) ? 1 : 0,
    order_drop_id: 0,
    token,
    access_key: random.characters(8),
    split_access_key: split ? random.characters(8) : '',
    merchant_id: String(seed.merchantId),
    reference_number: `INV-${random.digits(8)}`,
    amount,
    admin_charge: random.chance(70) ? '0.150' : '0.300',
    service_charge: random.chance(80) ? '0.000' : '0.500',
    subscription: seed.type === 0 ? 1 : 0,
    discount: random.chance(90) ? '0.000' : '0.250',
    description: description(random),
    sms_response: JSON.stringify({
      result: random.chance(97),
      id: random.digits(10),
      credit: random.below(9000) / 10,
    }),
    invoice_status: seed.status,
    payment_method: random.chance(70) ? ['1', '2'] : random.chance(50) ? ['1'] : ['1', '2', '9'],
    sms_status: random.chance(97) ? 1 : 0,
    url_status: random.chance(90) ? 1 : 0,
    visited_count: paid ? 1 + random.below(6) : random.below(4),
    country_id: 1,
    created_id: 1 + random.below(40),
    language: random.chance(55) ? 'ar' : 'en',
    expires_at: addDays(seed.day, 3 + random.below(5)),
    url: `https://pay.example.com/invoice/${token}`,
    spliturl: split ? `https://pay.example.com/split/${token}` : null,
    created_at: createdAt,
    updated_at: changedAt,
    rentperiod: null,
    transaction: paid ? paidTransaction(random, amount, changedAt) : { ...UNPAID_TRANSACTION },
    customer: customer(random),
    created_by_merchant: { id: seed.merchantId, name: seed.merchantName },
    products: products(random),
  };
}
