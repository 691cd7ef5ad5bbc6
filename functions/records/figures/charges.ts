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

type DayCharges =
  /** The registry names no column. */
  | { kind: 'none' }
  /** `total`: a decimal string with three fraction digits. */
  | { kind: 'known'; columns: readonly ChargeColumn[]; total: string }
  /**
   * `states`: nobody knows which invoices are paid. `column`: redacted, or not an amount. `not-sealed`: the
   * page is of an earlier version.
   */
  | { kind: 'unknown'; why: 'states' | 'column' | 'not-sealed' };

/**
 * The charges that the merchant bears.
 * @param sealed of {@link ChargeTotals}; `null`: it is unknown which invoices are paid; `undefined`: of an earlier version
 * @param columns of the registry
 */
export function bornCharges(
  sealed: readonly { column: ChargeColumn; total: string | null }[] | null | undefined,
  columns: readonly ChargeColumn[],
): DayCharges {
  if (columns.length === 0) return { kind: 'none' };
  if (sealed === undefined) return { kind: 'unknown', why: 'not-sealed' };
  if (sealed === null) return { kind: 'unknown', why: 'states' };
  const totals = columns.map((name) => sealed.find(({ column }) => column === name)?.total ?? null);
  const known = allKnown(totals);
  if (known === null) return { kind: 'unknown', why: 'column' };
  return { kind: 'known', columns, total: addAmounts(known) };
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
