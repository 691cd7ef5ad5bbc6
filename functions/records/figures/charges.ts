import * as z from 'zod';
import type { Members } from '../json/exact-json.ts';
import { addAmounts, allKnown, formatAmount, isAmount, parseAmount } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';

export const CHARGE_COLUMNS = ['admin_charge', 'service_charge'] as const;
export type ChargeColumn = (typeof CHARGE_COLUMNS)[number];

/** Columns that the merchant bears. The contract does not say who does, so the default is none. */
export const chargesSchema = z.lazy(() =>
  z
    .array(z.enum(CHARGE_COLUMNS))
    .refine((columns) => new Set(columns).size === columns.length, 'has a column twice'),
);

/**
 * The sum of the charges that the merchant bears: a decimal string with three fraction digits. `null` when one is unknown: it is
 * unknown which invoices are paid, the column is redacted or no amount, or the page is of an earlier version.
 * @param sealed of {@link ChargeTotals}
 * @param columns of the registry
 */
export function bornCharges(
  sealed: readonly { column: ChargeColumn; total: string | null }[] | null | undefined,
  columns: readonly ChargeColumn[],
): string | null {
  const totals = columns.map((name) => sealed?.find(({ column }) => column === name)?.total ?? null);
  const known = allKnown(totals);
  return known && addAmounts(known);
}

export class ChargeTotals {
  readonly #totals = new Map<ChargeColumn, Thousandths | null>(CHARGE_COLUMNS.map((column) => [column, 0n]));

  add(source: Members): void {
    for (const [column, total] of this.#totals) {
      if (total === null) continue;
      const charge = source[column];
      this.#totals.set(column, isAmount(charge) ? total + parseAmount(charge) : null);
    }
  }

  /** `null`: an invoice has no amount in the column. */
  totals(): { column: ChargeColumn; total: string | null }[] {
    return [...this.#totals].map(([column, total]) => ({
      column,
      total: total === null ? null : formatAmount(total),
    }));
  }
}
