import type { Texts } from '../texts/texts.ts';
import type { CollectedTable } from './collected-attachments.ts';
import type { SummaryRow } from './summary-cells.ts';
import type { PageSheet, TableSheet } from './workbook-model.ts';

/** Characters, for the summary's labels, counts and amounts. */
const SUMMARY_WIDTHS = [34, 24, 20];

/** The first sheet of a workbook. */
export function summarySheet(rows: readonly SummaryRow[], texts: Texts): PageSheet {
  return { kind: 'page', name: texts.say('workbook.summary'), widths: SUMMARY_WIDTHS, rows };
}

/** A sheet of a table that was collected row by row. */
export function collectedSheet(
  named: Pick<TableSheet, 'name' | 'table'>,
  { columns, rows, sums }: CollectedTable,
  texts: Texts,
): TableSheet {
  return {
    kind: 'table',
    ...named,
    columns: columns.map(({ head, holds, width }) => ({ head: texts.say(head), holds, width })),
    rows,
    sums,
    totalLabel: texts.say('workbook.total'),
  };
}
