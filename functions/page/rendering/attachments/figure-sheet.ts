import type { Texts } from '#mail/texts/texts.ts';
import type { CellContent } from './cell-content.ts';
import { ColumnTotal } from './column-total.ts';
import type { TableSheet } from './workbook-model.ts';
import { workbookCell } from './workbook-cell.ts';

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

/** The widths of usual columns, in characters. */
export const WIDTHS = { day: 14, count: 18, amount: 22, text: 28 } as const;
