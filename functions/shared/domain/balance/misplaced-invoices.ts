import type { Day } from '../day/business-day.ts';
import { integerText } from '../json/exact-json.ts';
import type { Invoice } from '../records/invoice.ts';

/** How many ids are named of however many invoices. */
const MOST_IDS = 5;
/** Digits of one id that are named; the sealed rows have them all. */
const LONGEST_ID = 40;

/** Some invoices: how many they are, and the ids of the first ones. */
export interface SomeInvoices {
  count: number;
  ids: string[];
}

/** Invoices of one `invoiceType` asked for that say that they are of another type. */
export interface OtherType extends SomeInvoices {
  invoiceType: string;
  /** Invoices that came for this type and for none before it. */
  rows: number;
}

/** What an invoice list gave that was not asked for. */
export interface Misplaced {
  /** Types of which no invoice is of another are left out. */
  otherTypes: OtherType[];
  /** Of another day for certain: the day asked for is not between their creation and their last update. */
  otherDay: SomeInvoices;
  /**
   * Created before the day and changed on it or later. They are of the day for a service that selects by change, and
   * not for one that selects by creation; which of them it is the contract does not say.
   */
  perhapsOtherDay: SomeInvoices;
}

function none(): SomeInvoices {
  return { count: 0, ids: [] };
}

/** Good enough to tell dates from what stands in place of one, such as 0000-00-00, and much faster than `isDay`. */
function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}

function note(invoices: SomeInvoices, { id }: Invoice): void {
  invoices.count += 1;
  if (invoices.ids.length >= MOST_IDS) return;
  const digits = integerText(id);
  invoices.ids.push(digits.length > LONGEST_ID ? `${digits.slice(0, LONGEST_ID)}…` : digits);
}

/**
 * Looks for invoices of another type or day than was asked for (docs/contract.md, 4.1 Invoice list). Days are compared
 * as the service writes them: `fromDate` and `toDate` are taken to be on the clock of `created_at` and `updated_at`,
 * since the contract names no time zone. What is no date tells nothing. Takes as long as there are rows, and keeps a
 * few ids.
 */
export class MisplacedInvoices {
  readonly #day: Day;
  readonly #types = new Map<string, OtherType>();
  readonly #otherDay = none();
  readonly #perhapsOtherDay = none();

  constructor(day: Day) {
    this.#day = day;
  }

  /** Takes invoices that came for a type, each invoice once. */
  add(invoices: readonly Invoice[], invoiceType: string): void {
    const type = this.#types.get(invoiceType) ?? { invoiceType, rows: 0, ...none() };
    this.#types.set(invoiceType, type);
    type.rows += invoices.length;
    const asked = Number(invoiceType);
    for (const invoice of invoices) {
      if (invoice.invoice_type !== asked) note(type, invoice);
      if (!invoice.created_at.startsWith(this.#day)) this.#noteDay(invoice);
    }
  }

  found(): Misplaced {
    return {
      otherTypes: [...this.#types.values()].filter(({ count }) => count > 0),
      otherDay: this.#otherDay,
      perhapsOtherDay: this.#perhapsOtherDay,
    };
  }

  #noteDay(invoice: Invoice): void {
    const created = invoice.created_at.slice(0, this.#day.length);
    const updated = invoice.updated_at.slice(0, this.#day.length);
    if (!isDate(created)) return;
    const isAfterItsEnd = isDate(updated) && updated < this.#day;
    note(created > this.#day || isAfterItsEnd ? this.#otherDay : this.#perhapsOtherDay, invoice);
  }
}
