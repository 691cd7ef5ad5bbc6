import type { Invoice } from '../records/invoice.ts';
import { InvoiceStateTotals } from './invoice-states.ts';
import type { InvoiceStatusNames } from './invoice-states.ts';

/** What totals by type need besides the rows. */
export interface TypeSettings {
  invoiceTypes: readonly string[];
  invoiceStatuses?: InvoiceStatusNames | undefined;
}

/** Counts and sums invoices by the type that was asked for, row by row. */
export class TypeTotals {
  readonly #settings: TypeSettings;
  readonly #byType = new Map<string, InvoiceStateTotals>();

  constructor(settings: TypeSettings) {
    this.#settings = settings;
  }

  /** Adds an invoice. @param type of the registry: only these, or earlier ones, are in the rows */
  add(type: string, invoice: Pick<Invoice, 'invoice_status' | 'amount'>): void {
    let totals = this.#byType.get(type);
    if (totals === undefined) {
      totals = new InvoiceStateTotals(this.#settings.invoiceStatuses ?? {});
      this.#byType.set(type, totals);
    }
    totals.add(invoice);
  }

  /**
   * The types with invoices, in the registry's order. Types that were removed from the registry come last, in the
   * order of the rows.
   */
  inOrder(): [type: string, totals: InvoiceStateTotals][] {
    const { invoiceTypes } = this.#settings;
    const place = (type: string) =>
      invoiceTypes.includes(type) ? invoiceTypes.indexOf(type) : invoiceTypes.length;
    return [...this.#byType].sort(([one], [other]) => place(one) - place(other));
  }
}
