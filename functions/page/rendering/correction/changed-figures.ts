import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import type { Figures, InvoiceState, RefundTotals } from '#records/figures/figure-schemas.ts';

/**
 * `status: null` means all refunds. Charges, nets, types and methods are of statements only, and `balance`
 * there is whether the statement is final.
 */
export type FigureName =
  | { of: 'count'; state: InvoiceState | 'total' }
  | { of: 'amount'; state: InvoiceState }
  | { of: 'refunds'; status: string | null; measure: 'count' | 'total' }
  | { of: 'balance' }
  | { of: 'sum'; name: 'charges' | 'net' | 'net.withoutCharges' }
  /** `null`: invoices beyond the named types or methods. `word`: the registry's, or the name. */
  | { of: 'type' | 'method'; name: string | null; word: string | null; measure: 'count' | 'total' };

/** A count, an amount (decimal string), whether it balances, or unknown (`null`). */
export type FigureValue = number | string | boolean | null;

export interface ChangedFigure {
  figure: FigureName;
  was: FigureValue;
  is: FigureValue;
}

const NO_REFUNDS = { count: 0, total: '0.000' };

function refundFigures(before: RefundTotals, after: RefundTotals): ChangedFigure[] {
  const statuses = [...new Set([...Object.keys(before.byStatus), ...Object.keys(after.byStatus)])];
  const of = (totals: RefundTotals, status: string) =>
    (Object.hasOwn(totals.byStatus, status) ? totals.byStatus[status] : undefined) ?? NO_REFUNDS;
  const pairs = [
    { status: null, was: before, is: after },
    ...statuses.map((status) => ({ status, was: of(before, status), is: of(after, status) })),
  ];
  return pairs.flatMap(({ status, was, is }): ChangedFigure[] => [
    { figure: { of: 'refunds', status, measure: 'count' }, was: was.count, is: is.count },
    { figure: { of: 'refunds', status, measure: 'total' }, was: was.total, is: is.total },
  ]);
}

/**
 * Every figure that differs, in the report's order. A refund status that one of them lacks had no refunds.
 */
export function changedFigures(before: Figures, after: Figures): ChangedFigure[] {
  const all: ChangedFigure[] = [
    ...([...INVOICE_STATES, 'total'] as const).map((state): ChangedFigure => ({
      figure: { of: 'count', state },
      was: before.counts[state],
      is: after.counts[state],
    })),
    ...INVOICE_STATES.map((state): ChangedFigure => ({
      figure: { of: 'amount', state },
      was: before.amounts?.[state] ?? null,
      is: after.amounts?.[state] ?? null,
    })),
    ...refundFigures(before.refunds, after.refunds),
    { figure: { of: 'balance' }, was: before.balanced, is: after.balanced },
  ];
  return all.filter(({ was, is }) => was !== is);
}
