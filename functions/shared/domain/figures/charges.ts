import * as z from 'zod';
import type { Members } from '../json/exact-json.ts';
import { formatAmount, isAmount, parseAmount } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';
import { integer } from '../records/contract-types.ts';
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

/** Sums columns of paid invoices, each column on its own, row by row. */
export class ChargeTotals {
  readonly #totals: Map<ChargeColumn, Thousandths | null>;

  constructor(columns: readonly ChargeColumn[]) {
    this.#totals = new Map(columns.map((column) => [column, 0n]));
  }

  /** Adds a paid invoice. @param source its row, redacted */
  add(source: Members): void {
    for (const [column, total] of this.#totals) {
      if (total === null) continue;
      const charge = source[column];
      this.#totals.set(column, isAmount(charge) ? total + parseAmount(charge) : null);
    }
  }

  /** The sum of each column. `null`: an invoice has no amount in it, because it is redacted or not an amount. */
  totals(): ReadonlyMap<ChargeColumn, Thousandths | null> {
    return this.#totals;
  }
}

/** Sums the charges of a day's paid invoices, row by row. */
export class ChargeSum {
  readonly #settings: ChargeSettings;
  readonly #totals: ChargeTotals;

  constructor(settings: ChargeSettings) {
    this.#settings = settings;
    this.#totals = new ChargeTotals(settings.charges);
  }

  /**
   * @param source a row of a sealed invoices file, redacted
   * @throws {z.ZodError} when it has no status
   */
  add(source: Members): void {
    const { charges, invoiceStatuses } = this.#settings;
    if (charges.length === 0 || invoiceStatuses === undefined) return;
    const { invoice_status: status } = rowSchema.parse(source);
    if (invoiceState(invoiceStatuses, status) === 'paid') this.#totals.add(source);
  }

  /** The charges of the rows so far. */
  charges(): DayCharges {
    const { charges, invoiceStatuses } = this.#settings;
    if (charges.length === 0) return { kind: 'none' };
    if (invoiceStatuses === undefined) return { kind: 'unknown', why: 'states' };
    let all: Thousandths = 0n;
    for (const total of this.#totals.totals().values()) {
      if (total === null) return { kind: 'unknown', why: 'column' };
      all += total;
    }
    return { kind: 'known', columns: charges, total: formatAmount(all) };
  }
}

/** The charges of a day whose invoices were not read. */
export function unreadCharges(columns: readonly ChargeColumn[]): DayCharges {
  return columns.length === 0 ? { kind: 'none' } : { kind: 'unknown', why: 'not-read' };
}
