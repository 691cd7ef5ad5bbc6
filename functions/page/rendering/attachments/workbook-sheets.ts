import { TABLES } from '#records/revision/manifest.ts';
import type { Table } from '#records/revision/manifest.ts';
import type { Texts } from '#mail/texts/texts.ts';
import type { CollectedTable } from './collected-attachments.ts';
import type { SummaryRow } from './summary-rows.ts';
import { TableRows } from './workbook-cell.ts';
import type { CellContent, WorkbookCell, ColumnSum } from './workbook-cell.ts';

/** A sheet of figures. Its name has 31 characters at most, without `[]/\:*?`. */
export interface PageSheet {
  kind: 'page';
  name: string;
  /** Characters, for each column. */
  widths: readonly number[];
  rows: readonly SummaryRow[];
}

export interface TableSheet {
  kind: 'table';
  name: string;
  /** The name of the table in formulas: ASCII letters. */
  table: string;
  /** No two heads are the same, in upper and lower case. `width` in characters. */
  columns: readonly { head: string; holds: CellContent; width: number }[];
  rows: readonly (readonly WorkbookCell[])[];
  /** The sum of each column, `null` where there is none. */
  sums: readonly (ColumnSum | null)[];
  totalLabel: string;
}

export interface Workbook {
  sheets: readonly (PageSheet | TableSheet)[];
  rightToLeft: boolean;
}

const SUMMARY_WIDTHS = [34, 24, 20];

export function summarySheet(rows: readonly SummaryRow[], texts: Texts): PageSheet {
  return { kind: 'page', name: texts.say('workbook.summary'), widths: SUMMARY_WIDTHS, rows };
}

const TABLE_NAMES = { invoices: 'Invoices', refunds: 'Refunds' } as const;

function tableSheet(
  named: Pick<TableSheet, 'name' | 'table'>,
  columns: TableSheet['columns'],
  { rows, sums }: Pick<TableSheet, 'rows' | 'sums'>,
  texts: Texts,
): TableSheet {
  return {
    kind: 'table',
    ...named,
    columns: columns.map(({ head, holds, width }) => ({ head, holds, width })),
    rows,
    sums,
    totalLabel: texts.say('workbook.total'),
  };
}

/** The sheets of the invoices and the refunds, one row each. */
export function rowSheets(tables: Record<Table, CollectedTable>, texts: Texts): TableSheet[] {
  return TABLES.map((table) => {
    const columns = tables[table].columns.map((column) => ({ ...column, head: texts.say(column.head) }));
    const named = { name: texts.say(`workbook.${table}`), table: TABLE_NAMES[table] };
    return tableSheet(named, columns, tables[table], texts);
  });
}

export interface FigureColumn<Row> {
  head: string;
  holds: CellContent;
  width: number;
  /** A number or a decimal string. `null` is unknown, and `''` is an empty cell. */
  value: (row: Row) => string | number | null;
  /** Whether the total row has the sum of the column, which holds amounts. */
  summed?: boolean;
}

/** A sheet with one row of figures for each thing. The column of an unknown figure has no sum. */
export function figureSheet<Row>(
  named: Pick<TableSheet, 'name' | 'table'>,
  columns: readonly FigureColumn<Row>[],
  rows: readonly Row[],
  { texts, timeZone }: { texts: Texts; timeZone: string },
): TableSheet {
  const unknown = texts.say('unknown');
  const table = new TableRows(columns, timeZone);
  for (const row of rows) table.add(columns.map(({ value }) => String(value(row) ?? unknown)));
  return tableSheet(named, columns, { rows: table.rows, sums: table.sums() }, texts);
}

/** Characters. */
const WIDTHS: Record<CellContent, number> = { day: 14, integer: 18, amount: 22, text: 18, time: 20 };

export function figureColumn<Row>(
  holds: CellContent,
  head: string,
  value: FigureColumn<Row>['value'],
  summed = false,
): FigureColumn<Row> {
  return { head, holds, width: WIDTHS[holds], value, summed };
}

/** The width of a column of names, in characters. */
export const NAME_WIDTH = 28;
