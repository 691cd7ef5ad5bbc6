import * as z from 'zod';
import type { Members } from '../json/exact-json.ts';
import { formatAmount, isAmount, parseAmount, parseSum } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';

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
   * `states`: nobody knows which invoices are paid. `column`: redacted, or not an amount. `not-sealed`: the
   * page is of an earlier version.
   */
  | { kind: 'unknown'; why: 'states' | 'column' | 'not-sealed' };

/** What a page seals of its charges: every column, `null` when an invoice has no amount in it. */
export type SealedCharges = readonly { column: ChargeColumn; total: string | null }[];

/**
 * The charges that the merchant bears.
 * @param sealed `null`: it is unknown which invoices are paid; `undefined`: of an earlier version
 * @param columns of the registry
 */
export function bornCharges(
  sealed: SealedCharges | null | undefined,
  columns: readonly ChargeColumn[],
): DayCharges {
  if (columns.length === 0) return { kind: 'none' };
  if (sealed === undefined) return { kind: 'unknown', why: 'not-sealed' };
  if (sealed === null) return { kind: 'unknown', why: 'states' };
  let all: Thousandths = 0n;
  for (const name of columns) {
    const total = sealed.find(({ column }) => column === name)?.total ?? null;
    if (total === null) return { kind: 'unknown', why: 'column' };
    all += parseSum(total);
  }
  return { kind: 'known', columns, total: formatAmount(all) };
}

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
