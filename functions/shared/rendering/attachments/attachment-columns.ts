import { INVOICE_COLUMN_NAMES, REFUND_COLUMN_NAMES } from '#domain/registry/attachment-settings.ts';
import type {
  AttachmentSettings,
  InvoiceColumnName,
  RefundColumnName,
} from '#domain/registry/attachment-settings.ts';
import type { InvoiceStatusNames } from '#domain/figures/invoice-states.ts';
import type { TextName } from '../texts/texts.ts';
import type { CellContent } from './cell-content.ts';
import type { WordKind } from './attachment-words.ts';

/** A column of an attachment. */
export interface AttachmentColumn {
  head: TextName;
  /** Where the row has the value. */
  path: readonly string[];
  holds: CellContent;
  /** Characters, for workbooks. */
  width: number;
  /** How the value is said in words, if it is a number or a name that people would have to look up. */
  words?: WordKind;
  /** Whether the sheet's total row has the column's sum. */
  summed?: true;
}

type Shape = Omit<AttachmentColumn, 'head'>;

const text = (width: number, ...path: string[]): Shape => ({ path, holds: 'text', width });
const integer = (width: number, ...path: string[]): Shape => ({ path, holds: 'integer', width });
const amount = (...path: string[]): Shape => ({ path, holds: 'amount', width: 14 });
const sum = (...path: string[]): Shape => ({ ...amount(...path), summed: true });
const day = (...path: string[]): Shape => ({ path, holds: 'day', width: 14 });
const time = (...path: string[]): Shape => ({ path, holds: 'time', width: 20 });
const worded = (words: WordKind, width: number, ...path: string[]): Shape => ({
  ...text(width, ...path),
  words,
});

/**
 * The fields of an invoice that merchants see. No other field gets into a mail: a new field of the service, a
 * payment link, an access key or a token.
 */
const INVOICE_SHAPES: Record<InvoiceColumnName, Shape> = {
  id: integer(14, 'id'),
  type: { ...integer(16, 'invoice_type'), words: 'invoiceType' },
  reference: text(22, 'reference_number'),
  status: integer(15, 'invoice_status'),
  state: worded('invoiceState', 14, 'invoice_status'),
  amount: sum('amount'),
  adminCharge: sum('admin_charge'),
  serviceCharge: sum('service_charge'),
  discount: sum('discount'),
  paymentMethod: worded('method', 22, 'payment_method'),
  customerName: text(26, 'customer', 'name'),
  customerEmail: text(28, 'customer', 'email'),
  customerPhone: text(18, 'customer', 'phone_number'),
  description: text(40, 'description'),
  createdAt: time('created_at'),
  updatedAt: time('updated_at'),
  expiresAt: day('expires_at'),
  paymentId: integer(20, 'transaction', 'payment_id'),
  transactionId: text(22, 'transaction', 'transaction_id'),
  paidOn: time('transaction', 'paid_on'),
  paidWith: worded('method', 22, 'transaction', 'payment_type'),
};

/** The fields of a refund that merchants see. */
const REFUND_SHAPES: Record<RefundColumnName, Shape> = {
  id: integer(14, 'id'),
  refundedOn: day('refund_at'),
  status: integer(15, 'status'),
  state: worded('refundState', 18, 'status'),
  amount: sum('amount'),
  saleAmount: { ...amount('total_transaction_amount'), width: 18 },
  soldAt: time('transaction_date'),
  countsIn: worded('countsIn', 28),
  reference: text(22, 'order_reference_number'),
  documentNumber: text(20, 'document_number'),
  paidWith: worded('method', 22, 'transaction', 'display_name'),
  transactionId: text(22, 'transaction', 'transaction_id'),
  remarks: text(40, 'remarks'),
  createdAt: time('created_at'),
  updatedAt: time('updated_at'),
};

/**
 * The chosen columns of invoices, or all.
 *
 * @param settings the merchant's `attachments`
 */
export function invoiceColumns({ columns }: Pick<AttachmentSettings, 'columns'>): AttachmentColumn[] {
  return (columns ?? INVOICE_COLUMN_NAMES).map((name) => ({
    head: `columns.${name}`,
    ...INVOICE_SHAPES[name],
  }));
}

/**
 * The columns of invoices in the workbook: the chosen ones, or all. The numbers of statuses are left out
 * where the registry names them and nobody has chosen them.
 */
export function workbookInvoiceColumns(
  { columns }: Pick<AttachmentSettings, 'columns'>,
  invoiceStatuses: InvoiceStatusNames | undefined,
): AttachmentColumn[] {
  if (columns !== undefined || invoiceStatuses === undefined) return invoiceColumns({ columns });
  return invoiceColumns({ columns: INVOICE_COLUMN_NAMES.filter((name) => name !== 'status') });
}

/** The columns of refunds in the workbook, chosen as in {@link workbookInvoiceColumns}. */
export function workbookRefundColumns(
  { refundColumns }: Pick<AttachmentSettings, 'refundColumns'>,
  refundStatuses: Readonly<Record<string, string>>,
): AttachmentColumn[] {
  const hasNames = Object.keys(refundStatuses).length > 0;
  const names = refundColumns ?? REFUND_COLUMN_NAMES.filter((name) => name !== 'status' || !hasNames);
  return names.map((name) => ({ head: `refundColumns.${name}`, ...REFUND_SHAPES[name] }));
}
