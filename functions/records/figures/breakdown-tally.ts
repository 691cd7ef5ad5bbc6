import type { Members } from '../json/exact-json.ts';
import { isMembers, textOrDigits } from '../json/exact-json.ts';
import { parseAmount, SumsByKey } from '../money/money.ts';
import { sealedInvoiceSchema } from '../rows/contract-records.ts';
import type { Invoice } from '../rows/contract-records.ts';
import { addBreakdowns, LONGEST_METHOD } from './breakdown.ts';
import type { Breakdown } from './breakdown.ts';
import { ChargeTotals } from './charges.ts';
import { invoiceState, TypeTotals } from './invoice-state-totals.ts';
import type { TypeSettings } from './invoice-state-totals.ts';

const BREAKS_AND_CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

function beginningOf(text: string): string {
  if (text.length <= LONGEST_METHOD) return text;
  // A character has two units at most. Joined, it is a copy: a slice would keep the whole text in memory.
  return Array.from(text.slice(0, 2 * LONGEST_METHOD))
    .slice(0, LONGEST_METHOD)
    .join('');
}

/**
 * `transaction.payment_type`, whose type the contract leaves open (docs/contract.md, 2.3 Invoice record), as
 * one line of at most {@link LONGEST_METHOD} characters, as `method` in the lake has it. `null` when it is blank, redacted or of another
 * type.
 * @param row of a pull or a sealed file, redacted
 */
export function paymentMethod(row: Members): string | null {
  const { transaction } = row;
  const text = isMembers(transaction) ? textOrDigits(transaction['payment_type']) : null;
  if (text === null) return null;
  // Cut first, so that a huge text costs no more than a short one.
  const method = beginningOf(text).toWellFormed().replace(BREAKS_AND_CONTROLS, ' ');
  return method.trim() === '' ? null : method;
}

/** So that a service with a text for each invoice does not fill the memory. */
const MOST_COUNTED = 1_000;

/** Invoices by type, paid ones by method and charge, in bounded memory. A pull and its sealed file give the same. */
export class BreakdownTally {
  readonly #settings: TypeSettings;
  readonly #types: TypeTotals;
  readonly #methods = new SumsByKey<string | null>();
  readonly #charges = new ChargeTotals();

  constructor(settings: TypeSettings) {
    this.#settings = settings;
    this.#types = new TypeTotals(settings);
  }

  /** @param type that was asked for @param invoice as it was sent @param row the same, redacted */
  add(type: string, invoice: Pick<Invoice, 'invoice_status' | 'amount'>, row: Members): void {
    this.#types.add(type, invoice);
    if (invoiceState(this.#settings.invoiceStatuses, invoice.invoice_status) !== 'paid') return;
    const method = paymentMethod(row);
    const isCounted = this.#methods.has(method) || this.#methods.size < MOST_COUNTED;
    this.#methods.addTo(isCounted ? method : null, parseAmount(invoice.amount));
    this.#charges.add(row);
  }

  /** @param source a sealed row, redacted @throws {z.ZodError} without a column that it needs */
  addSealed(source: Members): void {
    const invoice = sealedInvoiceSchema.parse(source);
    this.add(invoice._query_type, invoice, source);
  }

  breakdown(): Breakdown {
    const known = this.#settings.invoiceStatuses !== undefined;
    const all: Breakdown = {
      byType: this.#types.inOrder().map(([type, totals]) => ({
        type,
        all: totals.total(),
        states: known ? totals.states() : null,
      })),
      byMethod: known ? [...this.#methods].map(([method, sum]) => ({ method, ...sum.value() })) : null,
      charges: known ? this.#charges.totals() : null,
    };
    // A sum of one: with the same order, and the same bound on what is named.
    return addBreakdowns([all]);
  }
}
