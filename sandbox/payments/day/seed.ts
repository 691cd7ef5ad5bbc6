import { DAY_SECONDS, isDay } from './calendar.ts';
import { INVOICE_STATUS, invoiceRecord, type InvoiceType } from './invoice-record.ts';
import { seededRandom, type Random } from './random.ts';
import { REFUND_STATUS, refundRecord } from './refund-record.ts';

export interface DaySize {
  invoices: number;
  refunds: number;
  /** Another seed gives other data; default 1. */
  seed?: number;
}

export interface SeedTarget {
  merchantCode: string;
  merchantId: number;
  merchantName: string;
  day: string;
  firstId: number;
}

/** Of twenty consecutive invoices two are subscriptions, one is split and one is an instalment; the rest are single. */
const TYPES_BY_PLACE = new Map<number, InvoiceType>([
  [3, 0],
  [8, 6],
  [13, 7],
  [17, 0],
]);
const TYPE_CYCLE = 20;

function invoiceStatus(random: Random): number {
  const place = random.below(100);
  if (place < 70) return INVOICE_STATUS.paid;
  return place < 92 ? INVOICE_STATUS.unpaid : INVOICE_STATUS.cancelled;
}

function refundStatus(random: Random): number {
  const place = random.below(100);
  if (place < 65) return REFUND_STATUS.approved;
  return place < 88 ? REFUND_STATUS.pending : REFUND_STATUS.rejected;
}

/** Throws a RangeError for a day that does not exist or a size that is not a count. */
export function checkDay(day: string, ...counts: number[]): void {
  if (!isDay(day)) throw new RangeError(`not a day: ${JSON.stringify(day)}`);
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0)) {
    throw new RangeError('a day is seeded with whole numbers of records');
  }
}

/** The day's invoices, oldest first. Later ones have higher ids. */
export function* seededInvoices(target: SeedTarget, size: DaySize): Generator<Record<string, unknown>> {
  const random = seededRandom(`invoices ${target.merchantCode} ${target.day} ${String(size.seed ?? 1)}`);
  const offset = random.below(TYPE_CYCLE);
  for (let place = 0; place < size.invoices; place++) {
    yield invoiceRecord(random, {
      ...target,
      id: target.firstId + place,
      type: TYPES_BY_PLACE.get((place + offset) % TYPE_CYCLE) ?? 1,
      status: invoiceStatus(random),
      second: Math.floor(((place + random.below(1000) / 1000) * DAY_SECONDS) / size.invoices),
    });
  }
}

/** The refunds with `refund_at` on the day, for sales on that day or up to 20 days before. */
export function* seededRefunds(target: SeedTarget, size: DaySize): Generator<Record<string, unknown>> {
  const random = seededRandom(`refunds ${target.merchantCode} ${target.day} ${String(size.seed ?? 1)}`);
  for (let place = 0; place < size.refunds; place++) {
    yield refundRecord(random, { ...target, id: target.firstId + place, status: refundStatus(random) });
  }
}
