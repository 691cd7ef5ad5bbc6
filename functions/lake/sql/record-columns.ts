import type * as z from 'zod';
import type { Table } from '#records/revision/manifest.ts';
import {
  invoiceSchema,
  neededInvoiceSchema,
  neededRefundSchema,
  refundSchema,
} from '#records/rows/contract-records.ts';
import { OWN_COLUMNS, csvColumns } from '#records/rows/contract-columns.ts';
import { columnsOfSchema } from './columns.ts';
import type { SchemaColumn, LakeColumn, Meaning } from './columns.ts';
import { INVOICE_MEANINGS, OWN_MEANINGS, REFUND_MEANINGS } from './meanings.ts';

/** Members that no row is sealed without. Every other one is null where the service sends something else than the contract shows. */
const NEEDED: Record<Table, ReadonlySet<string>> = {
  invoices: new Set(Object.keys(neededInvoiceSchema.unwrap().shape)),
  refunds: new Set(Object.keys(neededRefundSchema.unwrap().shape)),
};

/** Whether no row is sealed without the member, in the contract's form. The id of the merchant has two forms. */
export function isNeeded(table: Table, name: string): boolean {
  return NEEDED[table].has(name) && name !== 'merchant_id';
}

function contractColumns(
  table: Table,
  schema: z.ZodObject,
  meanings: Record<string, Meaning>,
  contract: string,
) {
  return columnsOfSchema(schema, { meanings, contract }).map((column) => ({
    ...column,
    nullable: !isNeeded(table, column.name),
    members: column.members.map((member) => ({ ...member, nullable: true })),
  }));
}

/** The members that the contract shows of each record, taken from its schemas. */
export const CONTRACT_COLUMNS: Record<Table, SchemaColumn[]> = {
  invoices: contractColumns('invoices', invoiceSchema.unwrap(), INVOICE_MEANINGS, 'Invoice record'),
  refunds: contractColumns('refunds', refundSchema.unwrap(), REFUND_MEANINGS, 'Refund record'),
};

const OWN: LakeColumn[] = OWN_COLUMNS.map((name) => ({
  ...OWN_MEANINGS[name],
  name,
  type: 'string',
  nullable: name === '_query_type',
  contract: 'Daybook',
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
    const { meaning, unit, contract } = column;
    // The SerDe reads an empty cell as an empty string, never as null.
    return { name, type: 'string', nullable: false, meaning, contract, ...(unit !== undefined && { unit }) };
  });
}
