import { createHash } from 'node:crypto';
import * as z from 'zod';
import { integerText, isMembers, textOrDigits } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import { parseAmount } from '../money/money.ts';
import { amount, integer } from '../records/contract-types.ts';
import { invoiceState } from './invoice-states.ts';
import type { InvoiceStatusNames } from './invoice-states.ts';

/** The most invoices that are kept to be compared with later ones. They take about 25 MB. */
const MOST_KEPT = 250_000;
/** The most pairs that are named. */
const MOST_NAMED = 3;

/** Paid invoices of a day that may be one payment made twice. */
export interface PaidTwice {
  /** How many invoices repeat an earlier one. */
  count: number;
  /** The first few: the ids of both invoices, and their amount (decimal string). */
  first: { ids: readonly [string, string]; amount: string }[];
}

const rowSchema = z.lazy(() => z.object({ id: integer, amount, invoice_status: integer }));

function textOf(value: unknown): string {
  return textOrDigits(value)?.trim() ?? '';
}

/** Who the customer is: the phone number, else the e-mail address, else the name. `''` when the record has none. */
function customerOf({ customer }: Members): string {
  if (!isMembers(customer)) return '';
  const { phone_number: phone, email, name } = customer;
  return textOf(phone) || textOf(email).toLowerCase() || textOf(name);
}

/**
 * Finds paid invoices with the same reference, amount and customer, row by row. A number counts as its digits. An invoice without a
 * reference or a customer, or with one of them redacted, is like no other. It keeps a hash of each, so its memory has a bound.
 */
export class PaidTwiceFinder {
  readonly #names: InvoiceStatusNames | undefined;
  readonly #seen = new Map<string, string>();
  readonly #found: PaidTwice = { count: 0, first: [] };

  /** @param names without them, nobody knows which invoices are paid, and nothing is found */
  constructor(names: InvoiceStatusNames | undefined) {
    this.#names = names;
  }

  /**
   * @param source a row of a sealed invoices file, redacted
   * @throws {z.ZodError} when it lacks a column that cannot be redacted
   */
  add(source: Members): void {
    if (this.#names === undefined) return;
    const reference = textOf(source['reference_number']);
    const customer = customerOf(source);
    if (reference === '' || customer === '') return;
    const row = rowSchema.parse(source);
    if (invoiceState(this.#names, row.invoice_status) !== 'paid') return;
    const key = createHash('sha256')
      .update(JSON.stringify([reference, parseAmount(row.amount).toString(), customer]))
      .digest('base64');
    const id = integerText(row.id);
    const earlier = this.#seen.get(key);
    if (earlier === undefined) {
      if (this.#seen.size < MOST_KEPT) this.#seen.set(key, id);
      return;
    }
    this.#found.count += 1;
    if (this.#found.first.length < MOST_NAMED)
      this.#found.first.push({ ids: [earlier, id], amount: row.amount });
  }

  /** What was found in the rows so far. */
  found(): PaidTwice {
    return this.#found;
  }
}

/** Of a day whose invoices were not read. */
export const NONE_PAID_TWICE: PaidTwice = { count: 0, first: [] };
