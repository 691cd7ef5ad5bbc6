import type * as z from 'zod';
import type { Table } from '#records/revision/manifest.ts';
import {
  invoiceSchema,
  neededInvoiceSchema,
  neededRefundSchema,
  refundSchema,
} from '#records/rows/contract-records.ts';
import { OWN_COLUMNS, csvColumns } from '#records/rows/contract-columns.ts';
import { columnsOfSchema, meaningOf } from './columns.ts';
import type { SchemaColumn, LakeColumn } from './columns.ts';
import { INVOICE_MEANINGS, OWN_MEANINGS, REFUND_MEANINGS } from './meanings.ts';

/** Members that no row is sealed without. Every other one is null where the service sends something else than the contract shows. */
const NEEDED: Record<Table, ReadonlySet<string>> = {
  invoices: new Set(Object.keys(neededInvoiceSchema.unwrap().shape)),
  refunds: new Set(Object.keys(neededRefundSchema.unwrap().shape)),
};

/**
 * The columns that most analysts may see: what the contract explains, or what can be no more than a number, a date, or a word of a
 * few. All others may hold a person's data, also what a later contract adds.
 */
const NOT_PERSONAL: Record<Table, ReadonlySet<string>> = {
  invoices: new Set([
    ...['id', 'invoice_type', 'invoice_sub_type', 'order_drop_id', 'merchant_id'],
    ...['amount', 'admin_charge', 'service_charge', 'subscription', 'discount'],
    ...['invoice_status', 'payment_method', 'sms_status', 'url_status', 'visited_count'],
    ...['country_id', 'created_id', 'language', 'expires_at', 'created_at', 'updated_at'],
    ...['transaction.payment_type', 'transaction.paid_on', 'transaction.Amount', 'created_by_merchant.id'],
  ]),
  refunds: new Set([
    ...['id', 'merchant_id', 'amount', 'refund_at', 'transaction_date'],
    ...['recover_method', 'status', 'refund_method', 'created_at', 'updated_at'],
    ...['total_balance_amount', 'total_refunded_amount', 'total_transaction_amount'],
    ...['transaction.id', 'transaction.amount', 'transaction.admin_charge', 'transaction.payment_id'],
    ...['transaction.payment_name', 'transaction.display_name', 'transaction.service_id'],
    ...['transaction.status', 'transaction.created_at'],
  ]),
};

/** Whether no row is sealed without the member, in the contract's form. The id of the merchant has two forms. */
export function isNeeded(table: Table, name: string): boolean {
  return NEEDED[table].has(name) && name !== 'merchant_id';
}

function contractColumns(table: Table, schema: z.ZodObject, meanings: Record<string, string>) {
  const marked = (column: SchemaColumn) =>
    NOT_PERSONAL[table].has(column.name) ? column : { ...column, personal: true };
  return columnsOfSchema(schema, meanings).map((column) => ({
    ...(column.members.length > 0 ? column : marked(column)),
    nullable: !isNeeded(table, column.name),
    members: column.members.map((member) => ({ ...marked(member), nullable: true })),
  }));
}

/** The members that the contract shows of each record, taken from its schemas. */
export const CONTRACT_COLUMNS: Record<Table, SchemaColumn[]> = {
  invoices: contractColumns('invoices', invoiceSchema.unwrap(), INVOICE_MEANINGS),
  refunds: contractColumns('refunds', refundSchema.unwrap(), REFUND_MEANINGS),
};

const OWN: LakeColumn[] = OWN_COLUMNS.map((name) => ({
  ...meaningOf(OWN_MEANINGS[name]),
  name,
  type: 'string',
  nullable: name === '_query_type',
}));

/** The columns of the JSON files: Daybook's own, then the contract's. */
export function jsonColumns(table: Table): LakeColumn[] {
  return [...OWN, ...CONTRACT_COLUMNS[table]];
}

/** The contract's columns in the contract's order. Objects are spread out. */
export function flatColumns(table: Table): SchemaColumn[] {
  return CONTRACT_COLUMNS[table].flatMap((column) => (column.members.length > 0 ? column.members : [column]));
}

/** The columns of the CSV files, in their order. All are strings: the SerDe knows no other type. */
export function csvTableColumns(table: Table): LakeColumn[] {
  const described = new Map(
    [...OWN, ...flatColumns(table)].map((column) => [column.name.replace('.', '_'), column]),
  );
  return csvColumns(table).map((name) => {
    const column = described.get(name);
    if (column === undefined) throw new Error(`the CSV column ${name} is not in the contract`);
    // The SerDe reads an empty cell as an empty string, never as null.
    return { ...column, name, type: 'string', nullable: false };
  });
}
