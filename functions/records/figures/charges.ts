import * as z from 'zod';
import type { Members } from '../json/exact-json.ts';
import { formatAmount, isAmount, parseAmount } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';
import { integer } from '../rows/contract-types.ts';
import { invoiceState } from './invoice-state-totals.ts';
import type { InvoiceStatusNames } from './invoice-state-totals.ts';

export const CHARGE_COLUMNS = ['admin_charge', 'service_charge'] as const;
export type ChargeColumn = (typeof CHARGE_COLUMNS)[number];

/** Columns that the merchant bears. The contract does not say who does, so the default is none. */
export const chargesSchema = z.lazy(() =>
  z
    .array(z.enum(CHARGE_COLUMNS))
    .refine((columns) => new Set(columns).size === columns.length, 'has a column twice'),
);

export type DayCharges =
  /** The registry names no column. */
  | { kind: 'none' }
  /** `total`: a decimal string with three fraction digits. */
  | { kind: 'known'; columns: readonly ChargeColumn[]; total: string }
  /**
   * `states`: nobody knows which invoices are paid. `column`: redacted, or not an amount. `not-read`: no
   * invoices were.
   */
  | { kind: 'unknown'; why: 'states' | 'column' | 'not-read' };

export interface ChargeSettings {
  charges: readonly ChargeColumn[];
  invoiceStatuses?: InvoiceStatusNames | undefined;
}

const rowSchema = z.lazy(() => z.object({ invoice_status: integer }));

export class ChargeTotals {
  readonly #totals: Map<ChargeColumn, Thousandths | null>;

  constructor(columns: readonly ChargeColumn[]) {
    this.#totals = new Map(columns.map((column) => [column, 0n]));
  }

  add(source: Members): void {
    for (const [column, total] of this.#totals) {
      if (total === null) continue;
      const charge = source[column];
      this.#totals.set(column, isAmount(charge) ? total + parseAmount(charge) : null);
    }
  }

  /** `null`: an invoice has no amount in the column. */
  totals(): ReadonlyMap<ChargeColumn, Thousandths | null> {
    return this.#totals;
  }
}

export class ChargeSum {
  readonly #settings: ChargeSettings;
  readonly #totals: ChargeTotals;

  constructor(settings: ChargeSettings) {
    this.#settings = settings;
    this.#totals = new ChargeTotals(settings.charges);
  }

  /** @param source of a sealed file, redacted @throws {z.ZodError} without a status */
  add(source: Members): void {
    const { charges, invoiceStatuses } = this.#settings;
    if (charges.length === 0 || invoiceStatuses === undefined) return;
    const { invoice_status: status } = rowSchema.parse(source);
    if (invoiceState(invoiceStatuses, status) === 'paid') this.#totals.add(source);
  }

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

export function unreadCharges(columns: readonly ChargeColumn[]): DayCharges {
  return columns.length === 0 ? { kind: 'none' } : { kind: 'unknown', why: 'not-read' };
}
