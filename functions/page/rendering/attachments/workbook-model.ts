import type { CellContent } from './cell-content.ts';
import type { ColumnSum } from './column-total.ts';
import type { SummaryRow } from './summary-cells.ts';
import type { WorkbookCell } from './workbook-cell.ts';

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
