import type { Table } from '#records/revision/manifest.ts';
import type { TextName } from '#mail/texts/texts.ts';
import type { CellContent } from './workbook-cell.ts';
import type { AttachmentWords, WordSettings } from './attachment-words.ts';
import { isExactInteger, isMembers } from '#records/json/exact-json.ts';
import type { Members } from '#records/json/exact-json.ts';

export interface AttachmentColumn {
  head: TextName;
  path: readonly string[];
  holds: CellContent;
  /** Characters, for workbooks. */
  width: number;
  inWords?: (words: AttachmentWords, value: unknown, row: Members) => string;
  /** Whether it names something: its digits are no number. */
  names?: true;
  /** Whether the sheet's total row has the column's sum. */
  summed?: true;
}

type Head = AttachmentColumn['head'];
type Path = readonly string[];
type InWords = NonNullable<AttachmentColumn['inWords']>;

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
const worded = (head: Head, inWords: InWords, width: number, ...path: Path): AttachmentColumn => {
  return { ...text(head, width, ...path), inWords };
};

const naming = (column: AttachmentColumn): AttachmentColumn => ({ ...column, names: true });

function valueAt(row: Members, path: readonly string[]): unknown {
  return path.reduce(
    (value: unknown, name) => (isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    row,
  );
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (isExactInteger(value)) return value.rawJSON;
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  return JSON.stringify(value);
}

const textAt = (row: Members, ...path: string[]) => cellText(valueAt(row, path));

const inType: InWords = (words, value) => words.invoiceType(cellText(value));
const inState: InWords = (words, value) => words.invoiceState(cellText(value));
const inRefundState: InWords = (words, value) => words.refundState(cellText(value));
const inMethods: InWords = (words, value) =>
  (Array.isArray(value) ? value : [value])
    .map((method: unknown) => words.method(cellText(method)))
    .join(', ');
const inCountsIn: InWords = (words, _value, row) => words.countsIn(textAt(row, 'refund_at'));
/** A refund that is in the pages of two days counts once. */
const inCounted: InWords = (words, _value, row) =>
  words.isOfDay(textAt(row, 'refund_at')) ? textAt(row, 'amount') : '';

/** The only fields of an invoice that get into a mail: a new field may be a payment link or a token. */
export const INVOICE_COLUMNS: readonly AttachmentColumn[] = [
  naming(integer('columns.id', 14, 'id')),
  { ...integer('columns.type', 16, 'invoice_type'), inWords: inType },
  naming(text('columns.reference', 22, 'reference_number')),
  integer('columns.status', 15, 'invoice_status'),
  worded('columns.state', inState, 14, 'invoice_status'),
  sum('columns.amount', 'amount'),
  sum('columns.adminCharge', 'admin_charge'),
  sum('columns.serviceCharge', 'service_charge'),
  sum('columns.discount', 'discount'),
  worded('columns.paymentMethod', inMethods, 22, 'payment_method'),
  text('columns.customerName', 26, 'customer', 'name'),
  text('columns.customerEmail', 28, 'customer', 'email'),
  naming(text('columns.customerPhone', 18, 'customer', 'phone_number')),
  text('columns.description', 40, 'description'),
  time('columns.createdAt', 'created_at'),
  time('columns.updatedAt', 'updated_at'),
  day('columns.expiresAt', 'expires_at'),
  naming(integer('columns.paymentId', 20, 'transaction', 'payment_id')),
  naming(text('columns.transactionId', 22, 'transaction', 'transaction_id')),
  time('columns.paidOn', 'transaction', 'paid_on'),
  worded('columns.paidWith', inMethods, 22, 'transaction', 'payment_type'),
];

const REFUND_COLUMNS: readonly AttachmentColumn[] = [
  integer('refundColumns.id', 14, 'id'),
  day('refundColumns.refundedOn', 'refund_at'),
  integer('refundColumns.status', 15, 'status'),
  worded('refundColumns.state', inRefundState, 18, 'status'),
  sum('refundColumns.amount', 'amount'),
  { ...amount('refundColumns.saleAmount', 'total_transaction_amount'), width: 18 },
  time('refundColumns.soldAt', 'transaction_date'),
  worded('refundColumns.countsIn', inCountsIn, 28),
  text('refundColumns.reference', 22, 'order_reference_number'),
  text('refundColumns.documentNumber', 20, 'document_number'),
  worded('refundColumns.paidWith', inMethods, 22, 'transaction', 'display_name'),
  text('refundColumns.transactionId', 22, 'transaction', 'transaction_id'),
  text('refundColumns.remarks', 40, 'remarks'),
  time('refundColumns.createdAt', 'created_at'),
  time('refundColumns.updatedAt', 'updated_at'),
];

export type TableColumns = Record<Table, readonly AttachmentColumn[]>;

/** The columns of a day's workbook. The numbers of statuses are left out where the registry names them. */
export function workbookColumns({
  invoiceStatuses,
  refunds,
}: Pick<WordSettings, 'invoiceStatuses' | 'refunds'>): TableColumns {
  const hasNames = Object.keys(refunds.statuses).length > 0;
  return {
    invoices: INVOICE_COLUMNS.filter(
      ({ head }) => head !== 'columns.status' || invoiceStatuses === undefined,
    ),
    refunds: REFUND_COLUMNS.filter(({ head }) => head !== 'refundColumns.status' || !hasNames),
  };
}

/** A refund may be in the pages of two days, so its own amount has no sum. */
function withoutSum({ summed: _, ...column }: AttachmentColumn): AttachmentColumn {
  return column;
}

/**
 * The columns of a statement's workbook: the day of the page, and what a refund adds to the sum of the period.
 * @param hasOneCurrency amounts of different currencies are never added
 */
export function statementColumns(
  settings: Pick<WordSettings, 'invoiceStatuses' | 'refunds'>,
  hasOneCurrency: boolean,
): TableColumns {
  const { invoices, refunds } = workbookColumns(settings);
  const pageDay: AttachmentColumn = { ...day('workbook.day'), inWords: (words) => words.day };
  const counted: AttachmentColumn = { ...sum('statement.refundsOfPeriod'), inWords: inCounted, width: 28 };
  return {
    invoices: [pageDay, ...(hasOneCurrency ? invoices : invoices.map(withoutSum))],
    refunds: [pageDay, ...refunds.map(withoutSum), hasOneCurrency ? counted : withoutSum(counted)],
  };
}

function wordsOf(row: Members, column: AttachmentColumn, words: AttachmentWords): string | undefined {
  return column.inWords?.(words, valueAt(row, column.path), row);
}

/** What a spreadsheet would take for a number or a date. */
const LIKE_A_NUMBER = /^[\w.,/:+-]+$/;

/** As a formula for a text: nothing else keeps a spreadsheet from guessing. It can do no harm. */
function keptText(value: string): string {
  return LIKE_A_NUMBER.test(value) ? `="${value}"` : value;
}

/**
 * A row of the CSV: a text a column as the service sent it, `''` where missing; then the columns in words. For people
 * (`idsAsText`) what names something is kept as text.
 */
export function csvCells(
  row: Members,
  columns: readonly AttachmentColumn[],
  words: AttachmentWords,
): string[] {
  const cells = columns.map((column) => {
    const value = cellText(valueAt(row, column.path));
    if (column.inWords === inState) return words.stateName(value);
    return column.names === true && words.idsAsText ? keptText(value) : value;
  });
  return [...cells, ...columns.flatMap((column) => wordsOf(row, column, words) ?? [])];
}

/** A row for people: in words where the column has words, `''` where missing. */
export function peopleCells(
  row: Members,
  columns: readonly AttachmentColumn[],
  words: AttachmentWords,
): string[] {
  return columns.map((column) => wordsOf(row, column, words) ?? cellText(valueAt(row, column.path)));
}
