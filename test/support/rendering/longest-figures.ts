import { CHARGE_COLUMNS } from '#records/figures/charges.ts';

/** The largest amount of the contract. */
export const HUGE = '123456789012345678901234567890.123';
/** The largest count. */
export const MOST = 9_007_199_254_740_991;

/** The largest figures of a day or a period, with the most statuses. */
export function longestFigures() {
  const amounts = { paid: HUGE, notPaid: HUGE, cancelled: HUGE, other: HUGE };
  const counts = { total: MOST, paid: MOST, notPaid: MOST, cancelled: MOST, other: MOST };
  const byStatus = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `a-status-of-forty-letters-${index}`,
      { count: MOST, total: HUGE },
    ]),
  );
  const totals = { count: MOST, total: HUGE, byStatus };
  const net = {
    basis: 'cameIn' as const,
    received: HUGE,
    refunded: HUGE,
    pending: { count: MOST, total: HUGE },
    chargeColumns: [...CHARGE_COLUMNS],
    charges: HUGE,
    net: HUGE,
    unknown: [],
  };
  return { counts, amounts, refunds: { ...totals, saleBasis: totals }, net };
}
