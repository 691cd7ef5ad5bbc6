import { addBreakdowns } from './add-breakdowns.ts';
import type { Breakdown } from './breakdown.ts';

const METHOD_COLUMNS = ['transaction', 'transaction_payment_type'];

/**
 * Without what the registry redacts now, as if redacted before sealing. @param columns of `redactedColumns`
 */
export function redactedBreakdown(breakdown: Breakdown, columns: ReadonlySet<string>): Breakdown {
  const { byType, byMethod, charges } = breakdown;
  const hidesMethods = METHOD_COLUMNS.some((column) => columns.has(column));
  // Without a paid invoice the sum of a charge is zero, whether the column is known or not.
  const isPaid = byMethod !== null && byMethod.length > 0;
  const redacted: Breakdown = {
    byType,
    byMethod: hidesMethods ? (byMethod?.map((each) => ({ ...each, method: null })) ?? null) : byMethod,
    charges:
      charges?.map((each) => (isPaid && columns.has(each.column) ? { ...each, total: null } : each)) ?? null,
  };
  // A sum of one: the methods without a name become one.
  return addBreakdowns([redacted]);
}
