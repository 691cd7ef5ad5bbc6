import type { Breakdown } from '#records/figures/breakdown.ts';
import type { Net } from '#page/figures/period-figures.ts';
import type { SummaryCells, SummaryRow } from '../attachments/summary-cells.ts';
import type { Texts } from '#mail/texts/texts.ts';
import { isWhole } from './net-section.ts';
import { COLUMN_NAMES } from '../report/net-figures.ts';

export function netRows(
  of: Net,
  breakdown: Breakdown | null,
  cells: SummaryCells,
  texts: Texts,
): SummaryRow[] {
  const { received, refunded, charges, chargeColumns, net } = of;
  const named = isWhole(of, breakdown) ? breakdown?.charges : null;
  const byColumn = new Map(named?.map(({ column, total }) => [column, total]));
  return [
    cells.heads(texts.say('statement.net.title'), '', texts.say('amount')),
    cells.amount(texts.say('statement.received'), received),
    cells.amount(texts.say('statement.approvedRefunds'), refunded),
    ...chargeColumns
      .filter((column) => byColumn.has(column))
      .map((column) => cells.amount(texts.say(COLUMN_NAMES[column]), byColumn.get(column) ?? null)),
    ...(chargeColumns.length === 0 ? [] : [cells.amount(texts.say('charges'), charges)]),
    cells.amount(texts.say(chargeColumns.length === 0 ? 'net.withoutCharges' : 'net'), net, true),
  ];
}
