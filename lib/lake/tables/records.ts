import type { Table } from '#domain/revision/manifest.ts';
import type { LakeTable } from '../lake-table.ts';
import { csvTableColumns, jsonColumns } from '../record-columns.ts';

const ROW: Record<Table, string> = {
  invoices: 'One invoice of a pull, every field as the service sent it.',
  refunds: 'One refund of a pull, every field as the service sent it.',
};
const ALL_REVISIONS =
  'Holds every revision, and what crashed pulls left: join with `days`, or use the views.';

/** The rows as JSON, with types where the contract gives them. */
export function jsonTable(table: Table): LakeTable {
  return {
    name: table,
    description: `${ROW[table]} ${ALL_REVISIONS}`,
    prefix: `${table}/json/`,
    format: 'json',
    partitions: ['day'],
    columns: jsonColumns(table),
  };
}

/** The same rows as CSV: flat, and every column a string. */
export function csvTable(table: Table): LakeTable {
  return {
    name: `${table}_csv`,
    description: `${ROW[table]} From the CSV files: every column is a string, an empty one stands for null. ${ALL_REVISIONS}`,
    prefix: `${table}/csv/`,
    format: 'csv',
    partitions: ['day'],
    columns: csvTableColumns(table),
  };
}
