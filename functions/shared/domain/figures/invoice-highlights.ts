import * as z from 'zod';
import { addDays, dayAt, dayIn } from '../day/business-day.ts';
import type { Counts } from './figures.ts';
import { invoiceState } from './invoice-states.ts';
import { TypeTotals } from './type-totals.ts';
import type { TypeSettings } from './type-totals.ts';
import { parseAmount } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';
import { amount, integer } from '../records/contract-types.ts';
import { integerText, isMembers, textOrDigits } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';

/** An unpaid invoice. What the registry redacts, or the service left empty, is `null`. */
export interface UnpaidInvoice {
  /** Digits, exactly as sent. */
  id: string;
  reference: string | null;
  /** The customer's name: any text, which may be hostile. */
  customer: string | null;
  /** Decimal string with three fraction digits. */
  amount: string;
  /** `YYYY-MM-DD`. `null` when the service's date is not in the calendar, such as `0000-00-00`. */
  expiresAt: string | null;
  /** The payment link: https, without credentials, at most 500 characters. `null` for any other. */
  url: string | null;
}

/** Invoices of one requested type. The states are `null` when the registry does not name the statuses. */
export interface TypeFigures extends Omit<Counts, 'total'> {
  type: string;
  count: number;
  /** Over all states: decimal string with three fraction digits. */
  amount: string;
}

/** The invoices that a report names one by one, and the day's figures by type. */
export interface InvoiceHighlights {
  /** At most five, the largest amount first. The lower id first when amounts are equal. */
  largestUnpaid: UnpaidInvoice[];
  /**
   * At most five of the invoices that expire between the day of the pull and three days later, the soonest
   * first.
   */
  expiringSoon: UnpaidInvoice[];
  /** The number of all such invoices. `null` when states are unknown. */
  expiringSoonCount: number | null;
  /** In the registry's order of types. Only types with invoices. */
  byType: TypeFigures[];
}

/** What the highlights need besides the rows. */
export interface HighlightSettings extends TypeSettings {
  /** IANA name. It decides the date of the pull. */
  timeZone: string;
}

/** The most invoices in a list of the mail. */
const LONGEST_LIST = 5;
/** Days after the day of the pull. */
const SOON = 3;
/** UTF-16 units. No payment service sends a longer link. */
const LONGEST_URL = 500;

const UNKNOWN_STATES = { paid: null, notPaid: null, cancelled: null, other: null };

const rowSchema = z.lazy(() =>
  z.object({
    _query_type: z.string(),
    id: integer,
    amount,
    invoice_status: integer,
  }),
);
type Row = z.infer<typeof rowSchema>;

/** An unpaid row, for the order of the lists. The invoice is built only when it has a place in a list. */
interface Candidate {
  row: Row;
  source: Members;
  amount: Thousandths;
  /** `YYYY-MM-DD`, `null` when the service says no date of the calendar. */
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

/** Keeps the first few of any number of candidates. */
class FirstFew {
  readonly #compare: (one: Candidate, other: Candidate) => number;
  readonly #few: Candidate[] = [];

  constructor(compare: (one: Candidate, other: Candidate) => number) {
    this.#compare = compare;
  }

  add(candidate: Candidate): void {
    const last = this.#few[LONGEST_LIST - 1];
    if (last !== undefined && this.#compare(last, candidate) <= 0) return;
    this.#few.push(candidate);
    this.#few.sort(this.#compare);
    this.#few.splice(LONGEST_LIST);
  }

  invoices(): UnpaidInvoice[] {
    return this.#few.map(unpaidInvoice);
  }
}

/** A text of any length, `null` when there is none. */
function textOf(value: unknown): string | null {
  const text = textOrDigits(value);
  return text === '' ? null : text;
}

/** The link as a browser would open it, without blanks, quotes and line breaks. */
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

/** Finds the highlights of a day, row by row. What it keeps does not grow with the rows. */
export class HighlightFinder {
  readonly #settings: HighlightSettings;
  readonly #today: string;
  readonly #soon: string;
  readonly #largest = new FirstFew(byAmount);
  readonly #expiring = new FirstFew(byExpiry);
  #expiringCount = 0;
  readonly #byType: TypeTotals;

  /** @param pulledAt ISO 8601, UTC */
  constructor(settings: HighlightSettings, pulledAt: string) {
    this.#settings = settings;
    this.#byType = new TypeTotals(settings);
    this.#today = dayAt(Date.parse(pulledAt), settings.timeZone);
    this.#soon = addDays(this.#today, SOON);
  }

  /**
   * @param source a row of a sealed invoices file, redacted
   * @throws {z.ZodError} when it lacks a column that cannot be redacted
   */
  add(source: Members): void {
    const row = rowSchema.parse(source);
    this.#byType.add(row._query_type, row);
    const { invoiceStatuses } = this.#settings;
    if (invoiceStatuses === undefined || invoiceState(invoiceStatuses, row.invoice_status) !== 'notPaid')
      return;
    const expires = dayIn(source['expires_at']);
    const candidate = { row, source, amount: parseAmount(row.amount), expires };
    this.#largest.add(candidate);
    if (expires === null || expires < this.#today || expires > this.#soon) return;
    this.#expiringCount += 1;
    this.#expiring.add(candidate);
  }

  /** The highlights of the rows so far. */
  highlights(): InvoiceHighlights {
    const known = this.#settings.invoiceStatuses !== undefined;
    return {
      largestUnpaid: this.#largest.invoices(),
      expiringSoon: this.#expiring.invoices(),
      expiringSoonCount: known ? this.#expiringCount : null,
      byType: this.#byType.inOrder().map(([type, totals]) => ({
        type,
        ...totals.total(),
        ...(known ? totals.counts() : UNKNOWN_STATES),
      })),
    };
  }
}
