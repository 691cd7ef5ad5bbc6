import { addBreakdowns } from './add-breakdowns.ts';
import type { Breakdown } from './breakdown.ts';

/** Where {@link paymentMethod} finds the text. */
const METHOD_COLUMNS = ['transaction', 'transaction_payment_type'];

/**
 * A sealed breakdown without what the registry redacts now, as if the column had been redacted before the day was sealed.
 * The paid invoices then have no payment method, and a charge has no total.
 *
 * @param columns of `redactedColumns`
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
