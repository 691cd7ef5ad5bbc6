import type { Table } from '#records/revision/manifest.ts';
import type { HistoryTable } from '../history/history-table.ts';
import { INVOICES_HISTORY } from '../history/tables/invoices.ts';
import { REFUNDS_HISTORY } from '../history/tables/refunds.ts';

/** The tables of the history with customers' data. */
export const RECORDS: Record<Table, HistoryTable> = { invoices: INVOICES_HISTORY, refunds: REFUNDS_HISTORY };

/** The columns that may name a customer or lead to one. The history, the views and the CSV files call them the same. */
export function personalColumns(table: Table): string[] {
  return RECORDS[table].columns.flatMap(({ name, personal = false }) => (personal ? [name] : []));
}

/** A text of SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** SQL for "a personal column of the row contains the text". Upper and lower case are the same. */
export function names(table: Table, text: string): string {
  const columns = personalColumns(table).map((name) => `"${name}"`);
  return `strpos(lower(concat_ws(' ', ${columns.join(', ')})), lower(${literal(text)})) > 0`;
}
