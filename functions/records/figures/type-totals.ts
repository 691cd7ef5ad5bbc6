import type { Invoice } from '../rows/invoice.ts';
import { InvoiceStateTotals } from './invoice-states.ts';
import type { InvoiceStatusNames } from './invoice-states.ts';

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
    let totals = this.#byType.get(type);
    if (totals === undefined) {
      totals = new InvoiceStateTotals(this.#settings.invoiceStatuses ?? {});
      this.#byType.set(type, totals);
    }
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
