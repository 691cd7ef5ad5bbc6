import { isDay } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import { isExactInteger } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import type { Invoice } from '../rows/contract-records.ts';
import { shownId } from '../rows/drift-tallies.ts';

const MOST_IDS = 5;

interface SomeInvoices {
  count: number;
  ids: string[];
}

interface OtherType extends SomeInvoices {
  invoiceType: string;
  /** Those that came for no type before it. */
  rows: number;
}

export interface Misplaced {
  otherTypes: OtherType[];
  /** Certainly: the day is not between their creation and their last update. */
  otherDay: SomeInvoices;
  /** Created before the day, changed on it or later. Theirs if the service selects by change (not in the contract). */
  perhapsOtherDay: SomeInvoices;
}

/**
 * Whether all rows of a type or of the day belong to another request: it may be the answer to that one.
 * @param ignore names of `balance.ignore`
 */
export function areOfOtherRequest(
  { otherTypes, otherDay }: Misplaced,
  rows: number,
  ignore: readonly string[],
): boolean {
  const areOfOtherType = otherTypes.some((type) => type.count === type.rows);
  const areOfOtherDay = rows > 0 && otherDay.count === rows;
  return (
    (areOfOtherType && !ignore.includes('invoiceType')) || (areOfOtherDay && !ignore.includes('invoiceDay'))
  );
}

type PlacedInvoice = Pick<Invoice, 'id'> & Members;

function none(): SomeInvoices {
  return { count: 0, ids: [] };
}

function dateIn(value: unknown, length: number): string {
  return typeof value === 'string' ? value.slice(0, length) : '';
}

function isOtherType(type: unknown, asked: string): boolean {
  // No type has so many digits.
  if (isExactInteger(type)) return true;
  const isType = Number.isSafeInteger(type) || (typeof type === 'string' && /^\d+$/.test(type));
  return isType && Number(type) !== Number(asked);
}

function note(invoices: SomeInvoices, { id }: PlacedInvoice): void {
  invoices.count += 1;
  if (invoices.ids.length < MOST_IDS) invoices.ids.push(shownId(id));
}

/**
 * Invoices of another type or day than requested (docs/contract.md, 4.1 Invoice list). All dates are assumed
 * to be in one zone, which the contract does not name. Linear in the rows, and it keeps a few ids.
 */
export class MisplacedInvoices {
  readonly #day: Day;
  readonly #types = new Map<string, OtherType>();
  readonly #otherDay = none();
  readonly #perhapsOtherDay = none();

  constructor(day: Day) {
    this.#day = day;
  }

  add(invoices: readonly PlacedInvoice[], invoiceType: string): void {
    const type = this.#types.get(invoiceType) ?? { invoiceType, rows: 0, ...none() };
    this.#types.set(invoiceType, type);
    type.rows += invoices.length;
    for (const invoice of invoices) {
      if (isOtherType(invoice['invoice_type'], invoiceType)) note(type, invoice);
      this.#noteDay(invoice);
    }
  }

  found(): Misplaced {
    return {
      otherTypes: [...this.#types.values()].filter(({ count }) => count > 0),
      otherDay: this.#otherDay,
      perhapsOtherDay: this.#perhapsOtherDay,
    };
  }

  #noteDay(invoice: PlacedInvoice): void {
    const created = dateIn(invoice['created_at'], this.#day.length);
    if (created === this.#day || !isDay(created)) return;
    const updated = dateIn(invoice['updated_at'], this.#day.length);
    const isAfterItsEnd = isDay(updated) && updated < this.#day;
    note(created > this.#day || isAfterItsEnd ? this.#otherDay : this.#perhapsOtherDay, invoice);
  }
}
