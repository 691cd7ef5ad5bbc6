import type { Texts } from '#mail/texts/texts.ts';
import type { SummaryRow } from './summary-rows.ts';
import { ColumnTotal, workbookCell } from './workbook-cell.ts';
import type { CellContent, WorkbookCell, ColumnSum } from './workbook-cell.ts';

/** A sheet of figures. Its name has 31 characters at most, without `[]/\:*?`. */
export interface PageSheet {
  kind: 'page';
  name: string;
  /** Characters, for each column. */
  widths: readonly number[];
  rows: readonly SummaryRow[];
}

interface TableColumn {
  head: string;
  holds: CellContent;
  /** Characters. */
  width: number;
  /** Whether the total row has the sum of the column, which holds amounts. */
  summed?: boolean;
}

export interface TableSheet {
  kind: 'table';
  name: string;
  /** The name of the table in formulas: ASCII letters. */
  table: string;
  /** No two heads are the same, in upper and lower case. */
  columns: readonly TableColumn[];
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

/** A table, row by row, with the exact sums of its columns. */
export class TableRows {
  readonly #columns: readonly TableColumn[];
  readonly #totals: readonly (ColumnTotal | null)[];
  readonly #timeZone: string;
  readonly #rows: WorkbookCell[][] = [];

  constructor(columns: readonly TableColumn[], timeZone: string) {
    this.#columns = columns;
    this.#totals = columns.map(({ summed = false }) => (summed ? new ColumnTotal() : null));
    this.#timeZone = timeZone;
  }

  /** @param cells a text a column */
  add(cells: readonly string[]): void {
    const row = this.#columns.map(({ holds }, index) => {
      const text = cells[index] ?? '';
      this.#totals[index]?.add(text);
      return workbookCell(text, holds, this.#timeZone);
    });
    this.#rows.push(row);
  }

  sheet(named: Pick<TableSheet, 'name' | 'table'>, texts: Texts): TableSheet {
    return {
      kind: 'table',
      ...named,
      columns: this.#columns,
      rows: this.#rows,
      sums: this.#totals.map((total) => total?.sum() ?? null),
      totalLabel: texts.say('workbook.total'),
    };
  }
}

export interface FigureColumn<Row> extends TableColumn {
  /** A number or a decimal string. `null` is unknown, and `''` is an empty cell. */
  value: (row: Row) => string | number | null;
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
  return table.sheet(named, texts);
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
