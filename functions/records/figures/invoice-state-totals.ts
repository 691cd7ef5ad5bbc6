import * as z from 'zod';
import type { Amounts, InvoiceState } from './figure-schemas.ts';
import { CountedSum, parseAmount, sumOfParts } from '../money/money.ts';
import { integerText } from '../json/exact-json.ts';
import type { Integer } from '../json/exact-json.ts';
import { NameTally } from '../rows/drift-tallies.ts';
import type { Invoice } from '../rows/contract-records.ts';

export const invoiceStatusesSchema = z.lazy(() =>
  z.record(z.string(), z.enum(['paid', 'not_paid', 'cancelled', 'other'])),
);
export type InvoiceStatusNames = Readonly<z.infer<typeof invoiceStatusesSchema>>;

const STATES = { paid: 'paid', not_paid: 'notPaid', cancelled: 'cancelled', other: 'other' } as const;

/** The registry's name of a status, `undefined` without one. */
export function statusName<Name extends string>(
  names: Readonly<Record<string, Name>>,
  status: Integer,
): Name | undefined {
  const value = integerText(status);
  return Object.hasOwn(names, value) ? names[value] : undefined;
}

/** `undefined` when the registry does not name the status, or none. */
export function invoiceState(
  names: InvoiceStatusNames | undefined,
  status: Integer,
): InvoiceState | undefined {
  const name = names && statusName(names, status);
  return name && STATES[name];
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
  readonly #sums = ofEachState(() => new CountedSum());
  /** By value, how often statuses without a name came. */
  readonly unknownStatuses = new NameTally();

  constructor(names: InvoiceStatusNames) {
    this.#names = names;
  }

  add(invoice: Pick<Invoice, 'invoice_status' | 'amount'>): void {
    const state = invoiceState(this.#names, invoice.invoice_status);
    if (state === undefined) this.unknownStatuses.add(integerText(invoice.invoice_status));
    this.#sums[state ?? 'other'].add(parseAmount(invoice.amount));
  }

  counts(): Record<InvoiceState, number> {
    return ofEachState((state) => this.#sums[state].value().count);
  }

  amounts(): Amounts {
    return ofEachState((state) => this.#sums[state].value().amount);
  }

  states(): Record<InvoiceState, { count: number; amount: string }> {
    return ofEachState((state) => this.#sums[state].value());
  }

  total(): { count: number; amount: string } {
    return sumOfParts(Object.values(this.states()));
  }
}

export interface TypeSettings {
  invoiceTypes: readonly string[];
  invoiceStatuses?: InvoiceStatusNames | undefined;
}

export class TypeTotals {
  readonly #settings: TypeSettings;
  readonly #byType = new Map<string, InvoiceStateTotals>();

  constructor(settings: TypeSettings) {
    this.#settings = settings;
  }

  add(type: string, invoice: Pick<Invoice, 'invoice_status' | 'amount'>): void {
    const totals = this.#byType.get(type) ?? new InvoiceStateTotals(this.#settings.invoiceStatuses ?? {});
    this.#byType.set(type, totals);
    totals.add(invoice);
  }

  /** In the registry's order; types that are gone from it come last. */
  inOrder(): [type: string, totals: InvoiceStateTotals][] {
    const { invoiceTypes } = this.#settings;
    const place = (type: string) =>
      invoiceTypes.includes(type) ? invoiceTypes.indexOf(type) : invoiceTypes.length;
    return [...this.#byType].sort(([one], [other]) => place(one) - place(other));
  }
}
