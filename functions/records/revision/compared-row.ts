import * as z from 'zod';
import type { Day } from '../day/business-day.ts';
import { invoiceState } from '../figures/invoice-states.ts';
import type { InvoiceStatusNames } from '../figures/invoice-states.ts';
import type { Integer, Members } from '../json/exact-json.ts';
import { integerText } from '../json/exact-json.ts';
import { amount, integer } from '../rows/contract-types.ts';

export interface RowState {
  /** `null` when the registry does not name it. */
  state: string | null;
  /** Decimal string with three fraction digits. */
  amount: string;
}

export interface ComparedRow extends RowState {
  id: Integer;
}

const invoiceRow = z.lazy(() => z.object({ id: integer, amount, invoice_status: integer }));
const refundRow = z.lazy(() => z.object({ id: integer, amount, status: integer }));

/**
 * What a mail shows of an invoice, which cannot be redacted. @throws {z.ZodError} when a column is missing
 */
export function comparedInvoice(row: Members, names: InvoiceStatusNames | undefined): ComparedRow {
  const { id, amount: sum, invoice_status: status } = invoiceRow.parse(row);
  const state = names === undefined ? null : (invoiceState(names, status) ?? 'other');
  return { id, state, amount: sum };
}

/**
 * `null` for a refund of another day, as in `RefundDayTotals`. @throws {z.ZodError} when it lacks a column
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
