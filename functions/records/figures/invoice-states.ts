import * as z from 'zod';
import type { Amounts, InvoiceState } from './figures.ts';
import { formatAmount, parseAmount } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';
import { integerText } from '../json/exact-json.ts';
import { NameTally } from '../rows/name-tally.ts';
import type { Invoice } from '../rows/invoice.ts';

export const invoiceStatusesSchema = z.lazy(() =>
  z.record(z.string(), z.enum(['paid', 'not_paid', 'cancelled', 'other'])),
);
export type InvoiceStatusNames = Readonly<z.infer<typeof invoiceStatusesSchema>>;

const STATES = { paid: 'paid', not_paid: 'notPaid', cancelled: 'cancelled', other: 'other' } as const;

/** `undefined` when the registry does not name the status. */
export function invoiceState(
  names: InvoiceStatusNames,
  status: Invoice['invoice_status'],
): InvoiceState | undefined {
  const value = integerText(status);
  const name = Object.hasOwn(names, value) ? names[value] : undefined;
  return name === undefined ? undefined : STATES[name];
}

export function ofEachState<Value>(valueOf: (state: InvoiceState) => Value): Record<InvoiceState, Value> {
  return {
    paid: valueOf('paid'),
    notPaid: valueOf('notPaid'),
    cancelled: valueOf('cancelled'),
    other: valueOf('other'),
  };
}

/** A status without a name counts as `other`. */
export class InvoiceStateTotals {
  readonly #names: InvoiceStatusNames;
  readonly #counts = new Map<InvoiceState, number>();
  readonly #sums = new Map<InvoiceState, Thousandths>();
  readonly #unknown = new NameTally();

  constructor(names: InvoiceStatusNames) {
    this.#names = names;
  }

  add(invoice: Pick<Invoice, 'invoice_status' | 'amount'>): void {
    const named = invoiceState(this.#names, invoice.invoice_status);
    if (named === undefined) {
      this.#unknown.add(integerText(invoice.invoice_status));
    }
    const state = named ?? 'other';
    this.#counts.set(state, (this.#counts.get(state) ?? 0) + 1);
    this.#sums.set(state, (this.#sums.get(state) ?? 0n) + parseAmount(invoice.amount));
  }

  counts(): Record<InvoiceState, number> {
    return ofEachState((state) => this.#counts.get(state) ?? 0);
  }

  amounts(): Amounts {
    return ofEachState((state) => formatAmount(this.#sums.get(state) ?? 0n));
  }

  states(): Record<InvoiceState, { count: number; amount: string }> {
    const [counts, amounts] = [this.counts(), this.amounts()];
    return ofEachState((state) => ({ count: counts[state], amount: amounts[state] }));
  }

  total(): { count: number; amount: string } {
    const counts = [...this.#counts.values()];
    const sums = [...this.#sums.values()];
    return {
      count: counts.reduce((all, count) => all + count, 0),
      amount: formatAmount(sums.reduce((all, sum) => all + sum, 0n)),
    };
  }

  /** By value, how often statuses without a name came. */
  get unknownStatuses(): NameTally {
    return this.#unknown;
  }
}
