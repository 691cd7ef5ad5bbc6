import type { Texts } from '#mail/texts/texts.ts';
import type { CollectedTable } from './collected-attachments.ts';
import type { SummaryRow } from './summary-cells.ts';
import type { PageSheet, TableSheet } from './workbook-model.ts';

const SUMMARY_WIDTHS = [34, 24, 20];

export function summarySheet(rows: readonly SummaryRow[], texts: Texts): PageSheet {
  return { kind: 'page', name: texts.say('workbook.summary'), widths: SUMMARY_WIDTHS, rows };
}

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
