import type { InvoiceStatusNames } from '#records/figures/invoice-state-totals.ts';
import type { TextName } from '#mail/texts/texts.ts';
import type { CellContent } from './cell-content.ts';
import type { WordKind } from './attachment-words.ts';

export interface AttachmentColumn {
  head: TextName;
  path: readonly string[];
  holds: CellContent;
  /** Characters, for workbooks. */
  width: number;
  words?: WordKind;
  /** Whether the sheet's total row has the column's sum. */
  summed?: true;
}

type Head = AttachmentColumn['head'];
type Path = readonly string[];

const text = (head: Head, width: number, ...path: Path): AttachmentColumn => {
  return { head, path, holds: 'text', width };
};
const integer = (head: Head, width: number, ...path: Path): AttachmentColumn => {
  return { head, path, holds: 'integer', width };
};
const amount = (head: Head, ...path: Path): AttachmentColumn => ({ head, path, holds: 'amount', width: 14 });
const sum = (head: Head, ...path: Path): AttachmentColumn => ({ ...amount(head, ...path), summed: true });
const day = (head: Head, ...path: Path): AttachmentColumn => ({ head, path, holds: 'day', width: 14 });
const time = (head: Head, ...path: Path): AttachmentColumn => ({ head, path, holds: 'time', width: 20 });
const worded = (head: Head, words: WordKind, width: number, ...path: Path): AttachmentColumn => {
  return { ...text(head, width, ...path), words };
};

/** The only fields of an invoice that get into a mail: a new field may be a payment link or a token. */
export const INVOICE_COLUMNS: readonly AttachmentColumn[] = [
  integer('columns.id', 14, 'id'),
  { ...integer('columns.type', 16, 'invoice_type'), words: 'invoiceType' },
  text('columns.reference', 22, 'reference_number'),
  integer('columns.status', 15, 'invoice_status'),
  worded('columns.state', 'invoiceState', 14, 'invoice_status'),
  sum('columns.amount', 'amount'),
  sum('columns.adminCharge', 'admin_charge'),
  sum('columns.serviceCharge', 'service_charge'),
  sum('columns.discount', 'discount'),
  worded('columns.paymentMethod', 'method', 22, 'payment_method'),
  text('columns.customerName', 26, 'customer', 'name'),
  text('columns.customerEmail', 28, 'customer', 'email'),
  text('columns.customerPhone', 18, 'customer', 'phone_number'),
  text('columns.description', 40, 'description'),
  time('columns.createdAt', 'created_at'),
  time('columns.updatedAt', 'updated_at'),
  day('columns.expiresAt', 'expires_at'),
  integer('columns.paymentId', 20, 'transaction', 'payment_id'),
  text('columns.transactionId', 22, 'transaction', 'transaction_id'),
  time('columns.paidOn', 'transaction', 'paid_on'),
  worded('columns.paidWith', 'method', 22, 'transaction', 'payment_type'),
];

const REFUND_COLUMNS: readonly AttachmentColumn[] = [
  integer('refundColumns.id', 14, 'id'),
  day('refundColumns.refundedOn', 'refund_at'),
  integer('refundColumns.status', 15, 'status'),
  worded('refundColumns.state', 'refundState', 18, 'status'),
  sum('refundColumns.amount', 'amount'),
  { ...amount('refundColumns.saleAmount', 'total_transaction_amount'), width: 18 },
  time('refundColumns.soldAt', 'transaction_date'),
  worded('refundColumns.countsIn', 'countsIn', 28),
  text('refundColumns.reference', 22, 'order_reference_number'),
  text('refundColumns.documentNumber', 20, 'document_number'),
  worded('refundColumns.paidWith', 'method', 22, 'transaction', 'display_name'),
  text('refundColumns.transactionId', 22, 'transaction', 'transaction_id'),
  text('refundColumns.remarks', 40, 'remarks'),
  time('refundColumns.createdAt', 'created_at'),
  time('refundColumns.updatedAt', 'updated_at'),
];

/** The columns of invoices in the workbook. The numbers of statuses are left out where the registry names them. */
export function workbookInvoiceColumns(
  invoiceStatuses: InvoiceStatusNames | undefined,
): readonly AttachmentColumn[] {
  const hasNames = invoiceStatuses !== undefined;
  return INVOICE_COLUMNS.filter(({ head }) => head !== 'columns.status' || !hasNames);
}

export function workbookRefundColumns(
  refundStatuses: Readonly<Record<string, string>>,
): readonly AttachmentColumn[] {
  const hasNames = Object.keys(refundStatuses).length > 0;
  return REFUND_COLUMNS.filter(({ head }) => head !== 'refundColumns.status' || !hasNames);
}
