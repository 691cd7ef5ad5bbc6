import * as z from 'zod';
import type { Day } from '../day/business-day.ts';
import { invoiceState } from '../figures/invoice-states.ts';
import type { InvoiceStatusNames } from '../figures/invoice-states.ts';
import type { Integer, Members } from '../json/exact-json.ts';
import { integerText } from '../json/exact-json.ts';
import { amount, integer } from '../records/contract-types.ts';

/** What a mail shows of a row. */
export interface RowState {
  /** The state of an invoice or the status name of a refund. `null` when the registry does not name them. */
  state: string | null;
  /** Decimal string with three fraction digits. */
  amount: string;
}

/** A row with its id. */
export interface ComparedRow extends RowState {
  id: Integer;
}

const invoiceRow = z.lazy(() => z.object({ id: integer, amount, invoice_status: integer }));
const refundRow = z.lazy(() => z.object({ id: integer, amount, status: integer }));

/**
 * What a mail shows of an invoice. All of these columns are needed, so the registry cannot redact them.
 *
 * @param row of a sealed file
 * @throws {z.ZodError} when it lacks a column
 */
export function comparedInvoice(row: Members, names: InvoiceStatusNames | undefined): ComparedRow {
  const { id, amount: sum, invoice_status: status } = invoiceRow.parse(row);
  const state = names === undefined ? null : (invoiceState(names, status) ?? 'other');
  return { id, state, amount: sum };
}

/**
 * What a mail shows of a refund, `null` when the refund is of another day. Refunds are counted in the
 * same way (`RefundDayTotals`).
 *
 * @param row of a sealed file
 * @throws {z.ZodError} when it lacks a column
 */
export function comparedRefund(
  row: Members,
  day: Day,
  names: Readonly<Record<string, string>>,
): ComparedRow | null {
  const { id, amount: sum, status } = refundRow.parse(row);
  if (row['refund_at'] !== day) return null;
  const value = integerText(status);
  const name = Object.hasOwn(names, value) ? names[value] : undefined;
  return { id, state: name ?? 'other', amount: sum };
}
