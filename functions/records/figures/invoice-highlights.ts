import type * as z from 'zod';
import { addDays, dayAt, dayIn } from '../day/business-day.ts';
import type { Counts } from './figure-schemas.ts';
import { FirstFew } from './first-few.ts';
import { invoiceState, TypeTotals } from './invoice-state-totals.ts';
import type { TypeSettings } from './invoice-state-totals.ts';
import { parseAmount } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';
import { sealedInvoiceSchema } from '../rows/contract-records.ts';
import { integerText, isMembers, textOrDigits } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';

/** `null`: redacted, or left empty by the service. */
export interface UnpaidInvoice {
  /** Digits. */
  id: string;
  reference: string | null;
  /** Any text, which may be hostile. */
  customer: string | null;
  /** Decimal string with three fraction digits. */
  amount: string;
  /** `YYYY-MM-DD`; `null` for no date of the calendar. */
  expiresAt: string | null;
  /** https, without credentials, at most 500 characters; `null` for any other. */
  url: string | null;
}

/** The states are `null` when the registry does not name the statuses. */
export interface TypeFigures extends Omit<Counts, 'total'> {
  type: string;
  count: number;
  /** Over all states: decimal string with three fraction digits. */
  amount: string;
}

export interface InvoiceHighlights {
  /** At most five, the largest first, then the lower id. */
  largestUnpaid: UnpaidInvoice[];
  /** At most five that expire within three days of the pull, the soonest first. */
  expiringSoon: UnpaidInvoice[];
  /** Of all such invoices; `null` when states are unknown. */
  expiringSoonCount: number | null;
  byType: TypeFigures[];
}

export interface HighlightSettings extends TypeSettings {
  /** IANA name. It decides the date of the pull. */
  timeZone: string;
}

const LONGEST_LIST = 5;
const SOON = 3;
/** UTF-16 units. No payment service sends a longer link. */
const LONGEST_URL = 500;

const UNKNOWN_STATES = { paid: null, notPaid: null, cancelled: null, other: null };

interface Candidate {
  row: z.infer<typeof sealedInvoiceSchema>;
  source: Members;
  amount: Thousandths;
  expires: string | null;
}

function descending(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one > other ? -1 : 1;
}

function byId(one: Candidate, other: Candidate): number {
  return descending(BigInt(integerText(other.row.id)), BigInt(integerText(one.row.id)));
}

function byAmount(one: Candidate, other: Candidate): number {
  return descending(one.amount, other.amount) || byId(one, other);
}

function byExpiry(one: Candidate, other: Candidate): number {
  const [expires, otherwise] = [one.expires ?? '', other.expires ?? ''];
  if (expires === otherwise) return byAmount(one, other);
  return expires < otherwise ? -1 : 1;
}

function textOf(value: unknown): string | null {
  const text = textOrDigits(value);
  return text === '' ? null : text;
}

/** As a browser would open it, without blanks, quotes and line breaks. */
function paymentLink(value: unknown): string | null {
  const url = typeof value === 'string' && value.length <= LONGEST_URL ? URL.parse(value) : null;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return null;
  return url.href.length <= LONGEST_URL ? url.href : null;
}

function unpaidInvoice({ row, source, expires }: Candidate): UnpaidInvoice {
  const { customer } = source;
  return {
    id: integerText(row.id),
    reference: textOf(source['reference_number']),
    customer: isMembers(customer) ? textOf(customer['name']) : null,
    amount: row.amount,
    expiresAt: expires,
    url: paymentLink(source['url']),
  };
}

export class HighlightFinder {
  readonly #settings: HighlightSettings;
  readonly #today: string;
  readonly #soon: string;
  readonly #largest = new FirstFew(LONGEST_LIST, byAmount);
  readonly #expiring = new FirstFew(LONGEST_LIST, byExpiry);
  #expiringCount = 0;
  readonly #byType: TypeTotals;

  /** @param pulledAt ISO 8601, UTC */
  constructor(settings: HighlightSettings, pulledAt: string) {
    this.#settings = settings;
    this.#byType = new TypeTotals(settings);
    this.#today = dayAt(Date.parse(pulledAt), settings.timeZone);
    this.#soon = addDays(this.#today, SOON);
  }

  /** @param source a sealed row, redacted @throws {z.ZodError} without a column that it needs */
  add(source: Members): void {
    const row = sealedInvoiceSchema.parse(source);
    this.#byType.add(row._query_type, row);
    if (invoiceState(this.#settings.invoiceStatuses, row.invoice_status) !== 'notPaid') return;
    const expires = dayIn(source['expires_at']);
    const candidate = { row, source, amount: parseAmount(row.amount), expires };
    this.#largest.add(candidate);
    if (expires === null || expires < this.#today || expires > this.#soon) return;
    this.#expiringCount += 1;
    this.#expiring.add(candidate);
  }

  highlights(): InvoiceHighlights {
    const known = this.#settings.invoiceStatuses !== undefined;
    return {
      largestUnpaid: this.#largest.items().map(unpaidInvoice),
      expiringSoon: this.#expiring.items().map(unpaidInvoice),
      expiringSoonCount: known ? this.#expiringCount : null,
      byType: this.#byType.inOrder().map(([type, totals]) => ({
        type,
        ...totals.total(),
        ...(known ? totals.counts() : UNKNOWN_STATES),
      })),
    };
  }
}
