import { formatAmount, parseSum } from '#records/money/money.ts';
import type { Breakdown } from '#records/figures/breakdown.ts';
import type { Net } from '#page/figures/period-figures.ts';
import type { Statement } from '#page/figures/statement.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageSection } from '#mail/template/mail-page.ts';
import { COLUMN_NAMES } from '../report/net-figures.ts';

export function negative(amount: string | null): string | null {
  return amount === null ? null : formatAmount(-parseSum(amount));
}

/**
 * Whether the breakdown's charges come to those of the net. Not when the merchant bears a column on some days
 * only: the breakdown is of all days.
 */
export function isWhole({ chargeColumns, charges }: Net, breakdown: Breakdown | null): boolean {
  const totals = chargeColumns.map(
    (name) => breakdown?.charges?.find(({ column }) => column === name)?.total ?? null,
  );
  if (charges === null || totals.includes(null)) return charges === null;
  return totals.reduce((sum, total) => sum + parseSum(total ?? '0.000'), 0n) === parseSum(charges);
}

/** How the net is made, where the registry names charges; without them a sentence says it. */
export function netSection(
  { net, breakdown: sealed }: Pick<Statement, 'net' | 'breakdown'>,
  formatter: FigureFormatter,
): PageSection[] {
  const { texts } = formatter;
  const { received, refunded, chargeColumns, charges } = net;
  if (chargeColumns.length === 0) return [];
  const breakdown = isWhole(net, sealed) ? sealed : null;
  const row = (label: string, amount: string | null) => ({ label, values: [formatter.amount(amount)] });
  const totalOf = (column: (typeof chargeColumns)[number]) =>
    breakdown?.charges?.find((charge) => charge.column === column)?.total;
  const columns = chargeColumns.map((column) => ({ column, total: totalOf(column) }));
  const chargeRows = columns.every(({ total }) => total !== undefined)
    ? columns.map(({ column, total = null }) => row(texts.say(COLUMN_NAMES[column]), negative(total)))
    : [row(texts.say('charges'), negative(charges))];
  return [
    {
      heading: texts.say('statement.net'),
      figures: {
        columns: [texts.say('correction.figure'), texts.say('amount')],
        rows: [
          row(texts.say('statement.received'), received),
          row(texts.say('statement.approvedRefunds'), negative(refunded)),
          ...chargeRows,
          { ...row(texts.say('net'), net.net), strong: true },
        ],
      },
    },
  ];
}
