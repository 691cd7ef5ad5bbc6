import { isDay } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import { integerText, isExactInteger } from '../json/exact-json.ts';
import type { Integer } from '../json/exact-json.ts';

/** The most ids that are named for a number of invoices. */
const MOST_IDS = 5;
/** The most digits of an id that are named. The sealed rows have all of them. */
const LONGEST_ID = 40;

/** The number of some invoices, and the ids of the first ones. */
export interface SomeInvoices {
  count: number;
  ids: string[];
}

/** Invoices that came for one `invoiceType` and have another type. */
export interface OtherType extends SomeInvoices {
  invoiceType: string;
  /** Invoices that came for this type and for no type before it. */
  rows: number;
}

/** Invoices in a list that were not requested. */
export interface Misplaced {
  /** Only types with such invoices. */
  otherTypes: OtherType[];
  /** Certainly of another day: the requested day is not between their creation and their last update. */
  otherDay: SomeInvoices;
  /**
   * Created before the day and changed on it or later. They belong to the day if the service selects by
   * change, and not if it selects by creation. The contract does not say which.
   */
  perhapsOtherDay: SomeInvoices;
}

/**
 * Whether all invoices that came for a type, or all of the day, belong to another request. Then it may be the answer to that one.
 *
 * @param rows how many came, over all types
 * @param ignore names of comparisons that do not decide (registry: `balance.ignore`)
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

/** What says where an invoice belongs, as it was sent. What cannot be read says nothing. */
interface PlacedInvoice {
  id: Integer;
  invoice_type?: unknown;
  created_at?: unknown;
  updated_at?: unknown;
}

function none(): SomeInvoices {
  return { count: 0, ids: [] };
}

function dateIn(value: unknown, length: number): string {
  return typeof value === 'string' ? value.slice(0, length) : '';
}

/** Whether it is another type than the requested one, as a number or as digits. */
function isOtherType(type: unknown, asked: string): boolean {
  // No type has so many digits.
  if (isExactInteger(type)) return true;
  const isType = Number.isSafeInteger(type) || (typeof type === 'string' && /^\d+$/.test(type));
  return isType && Number(type) !== Number(asked);
}

function note(invoices: SomeInvoices, { id }: PlacedInvoice): void {
  invoices.count += 1;
  if (invoices.ids.length >= MOST_IDS) return;
  const digits = integerText(id);
  invoices.ids.push(digits.length > LONGEST_ID ? `${digits.slice(0, LONGEST_ID)}…` : digits);
}

/**
 * Finds invoices of another type or day than requested (docs/contract.md, 4.1 Invoice list). Days are
 * compared as the service writes them. `fromDate` and `toDate` are assumed to be in the same zone as
 * `created_at` and `updated_at`, because the contract names no zone. Text that is not a date is ignored. Its
 * time is linear in the rows, and it keeps a few ids.
 */
export class MisplacedInvoices {
  readonly #day: Day;
  readonly #types = new Map<string, OtherType>();
  readonly #otherDay = none();
  readonly #perhapsOtherDay = none();

  constructor(day: Day) {
    this.#day = day;
  }

  /** Adds invoices that came for a type, each invoice once. */
  add(invoices: readonly PlacedInvoice[], invoiceType: string): void {
    const type = this.#types.get(invoiceType) ?? { invoiceType, rows: 0, ...none() };
    this.#types.set(invoiceType, type);
    type.rows += invoices.length;
    for (const invoice of invoices) {
      if (isOtherType(invoice.invoice_type, invoiceType)) note(type, invoice);
      this.#noteDay(invoice);
    }
  }

  /** What was found so far. */
  found(): Misplaced {
    return {
      otherTypes: [...this.#types.values()].filter(({ count }) => count > 0),
      otherDay: this.#otherDay,
      perhapsOtherDay: this.#perhapsOtherDay,
    };
  }

  #noteDay(invoice: PlacedInvoice): void {
    const created = dateIn(invoice.created_at, this.#day.length);
    if (created === this.#day || !isDay(created)) return;
    const updated = dateIn(invoice.updated_at, this.#day.length);
    const isAfterItsEnd = isDay(updated) && updated < this.#day;
    note(created > this.#day || isAfterItsEnd ? this.#otherDay : this.#perhapsOtherDay, invoice);
  }
}
