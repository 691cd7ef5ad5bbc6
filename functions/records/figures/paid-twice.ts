import { createHash } from 'node:crypto';
import { integerText, isMembers, textOrDigits } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import { parseAmount } from '../money/money.ts';
import { sealedInvoiceSchema } from '../rows/contract-records.ts';
import { invoiceState } from './invoice-state-totals.ts';
import type { InvoiceStatusNames } from './invoice-state-totals.ts';

/** They take about 25 MB. */
const MOST_KEPT = 250_000;
const MOST_NAMED = 3;

/** Of a day; they may be one payment made twice. */
export interface PaidTwice {
  count: number;
  /** Ids of both invoices, and a decimal string. */
  first: { ids: readonly [string, string]; amount: string }[];
}

function textOf(value: unknown): string {
  return textOrDigits(value)?.trim() ?? '';
}

function customerOf({ customer }: Members): string {
  if (!isMembers(customer)) return '';
  const { phone_number: phone, email, name } = customer;
  return textOf(phone) || textOf(email).toLowerCase() || textOf(name);
}

/**
 * Paid invoices with the same reference, amount and customer; one without a reference or customer is like no
 * other. It keeps a hash of each, so its memory has a bound.
 */
export class PaidTwiceFinder {
  readonly #names: InvoiceStatusNames | undefined;
  readonly #seen = new Map<string, string>();
  readonly #found: PaidTwice = { count: 0, first: [] };

  constructor(names: InvoiceStatusNames | undefined) {
    this.#names = names;
  }

  /** @param source a sealed row, redacted @throws {z.ZodError} without a column that it needs */
  add(source: Members): void {
    const reference = textOf(source['reference_number']);
    const customer = customerOf(source);
    if (reference === '' || customer === '') return;
    const row = sealedInvoiceSchema.parse(source);
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

  found(): PaidTwice {
    return this.#found;
  }
}

/** Of a day whose invoices were not read. */
export const NONE_PAID_TWICE: PaidTwice = { count: 0, first: [] };
