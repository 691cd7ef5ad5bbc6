import * as z from 'zod';
import type { Members } from '../json/exact-json.ts';
import { formatAmount, parseAmount } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';
import { amount, integer } from '../records/contract-types.ts';
import { invoiceState } from './invoice-states.ts';
import type { InvoiceStatusNames } from './invoice-states.ts';

/** The columns of an invoice that may be a charge (docs/contract.md, 2.3 Invoice record). */
export const CHARGE_COLUMNS = ['admin_charge', 'service_charge'] as const;
/** A column of an invoice that may be a charge. */
export type ChargeColumn = (typeof CHARGE_COLUMNS)[number];

/**
 * The registry's `charges`: the columns that the merchant bears. The contract does not say who bears them, so
 * the default is none.
 */
export const chargesSchema = z.lazy(() =>
  z
    .array(z.enum(CHARGE_COLUMNS))
    .refine((columns) => new Set(columns).size === columns.length, 'has a column twice'),
);

/** What a merchant's charges of a day come to. */
export type DayCharges =
  /** The registry names no column. */
  | { kind: 'none' }
  /** `total` over all columns: a decimal string with three fraction digits. */
  | { kind: 'known'; columns: readonly ChargeColumn[]; total: string }
  /**
   * - `states`: the registry does not say which invoices are paid
   * - `column`: a paid invoice has no amount in a column, because it is redacted or not an amount
   * - `not-read`: the invoices were not read
   */
  | { kind: 'unknown'; why: 'states' | 'column' | 'not-read' };

/** What the sum of charges needs besides the rows. */
export interface ChargeSettings {
  charges: readonly ChargeColumn[];
  invoiceStatuses?: InvoiceStatusNames | undefined;
}

const rowSchema = z.lazy(() => z.object({ invoice_status: integer }));

/** Sums the charges of a day's paid invoices, row by row. */
export class ChargeSum {
  readonly #settings: ChargeSettings;
  #total: Thousandths = 0n;
  #isComplete = true;

  constructor(settings: ChargeSettings) {
    this.#settings = settings;
  }

  /**
   * @param source a row of a sealed invoices file, redacted
   * @throws {z.ZodError} when it has no status
   */
  add(source: Members): void {
    const { charges, invoiceStatuses } = this.#settings;
    if (charges.length === 0 || invoiceStatuses === undefined) return;
    const { invoice_status: status } = rowSchema.parse(source);
    if (invoiceState(invoiceStatuses, status) !== 'paid') return;
    for (const column of charges) {
      const charge = amount.safeParse(source[column]);
      if (charge.success) this.#total += parseAmount(charge.data);
      else this.#isComplete = false;
    }
  }

  /** The charges of the rows so far. */
  charges(): DayCharges {
    const { charges, invoiceStatuses } = this.#settings;
    if (charges.length === 0) return { kind: 'none' };
    if (invoiceStatuses === undefined) return { kind: 'unknown', why: 'states' };
    if (!this.#isComplete) return { kind: 'unknown', why: 'column' };
    return { kind: 'known', columns: charges, total: formatAmount(this.#total) };
  }
}

/** The charges of a day whose invoices were not read. */
export function unreadCharges(columns: readonly ChargeColumn[]): DayCharges {
  return columns.length === 0 ? { kind: 'none' } : { kind: 'unknown', why: 'not-read' };
}
