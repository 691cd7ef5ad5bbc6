import { TABLES } from '#records/revision/manifest.ts';
import type { Table } from '#records/revision/manifest.ts';
import type { Texts } from '#mail/texts/texts.ts';
import type { CollectedTable } from './collected-attachments.ts';
import type { SummaryRow } from './summary-rows.ts';
import { workbookCell, ColumnTotal } from './workbook-cell.ts';
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

/** The sheets of the invoices and the refunds, one row each. */
export function rowSheets(tables: Record<Table, CollectedTable>, texts: Texts): TableSheet[] {
  return TABLES.map((table) => {
    const { columns, rows, sums } = tables[table];
    return {
      kind: 'table',
      name: texts.say(`workbook.${table}`),
      table: TABLE_NAMES[table],
      columns: columns.map(({ head, holds, width }) => ({ head: texts.say(head), holds, width })),
      rows,
      sums,
      totalLabel: texts.say('workbook.total'),
    };
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
  const totals = columns.map(({ summed = false }) => (summed ? new ColumnTotal() : null));
  const unknown = texts.say('unknown');
  const cells = rows.map((row) =>
    columns.map(({ holds, value }, index) => {
      const text = String(value(row) ?? unknown);
      totals[index]?.add(text);
      return workbookCell(text, holds, timeZone);
    }),
  );
  return {
    kind: 'table',
    ...named,
    columns: columns.map(({ head, holds, width }) => ({ head, holds, width })),
    rows: cells,
    sums: totals.map((total) => total?.sum() ?? null),
    totalLabel: texts.say('workbook.total'),
  };
}

/** Characters. */
const WIDTHS: Record<CellContent, number> = { day: 14, integer: 18, amount: 22, text: 18, time: 20 };

export function figureColumn<Row>(
  holds: CellContent,
  head: string,
  value: FigureColumn<Row>['value'],
): FigureColumn<Row> {
  return { head, holds, width: WIDTHS[holds], value };
}

/** The width of a column of names, in characters. */
export const NAME_WIDTH = 28;
