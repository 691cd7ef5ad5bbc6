import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import type { Amounts, Counts, RefundTotals } from '#records/figures/figure-schemas.ts';
import { formatAmount } from '#records/money/money.ts';
import { sumOf } from '#mail/formatters/figure-formatter.ts';
import type { Texts } from '#mail/texts/texts.ts';
import type { SummaryCells, SummaryRow } from './summary-cells.ts';

export function headsOf(title: string, cells: SummaryCells, texts: Texts): SummaryRow {
  return cells.heads(title, texts.say('count'), texts.say('amount'));
}

export function stateRows(
  { counts, amounts }: { counts: Counts; amounts: Amounts | null },
  cells: SummaryCells,
  texts: Texts,
): SummaryRow[] {
  return [
    ...INVOICE_STATES.map((state) =>
      cells.figures(texts.say(`states.${state}`), counts[state], amounts?.[state] ?? null),
    ),
    cells.figures(
      texts.say('workbook.total'),
      counts.total,
      amounts === null ? null : formatAmount(sumOf(amounts)),
      true,
    ),
  ];
}

export function refundRows(
  { byStatus, count, total }: RefundTotals,
  nameOf: (status: string) => string,
  cells: SummaryCells,
  texts: Texts,
): SummaryRow[] {
  return [
    ...Object.entries(byStatus).map(([status, of]) => cells.figures(nameOf(status), of.count, of.total)),
    cells.figures(texts.say('workbook.total'), count, total, true),
  ];
}
