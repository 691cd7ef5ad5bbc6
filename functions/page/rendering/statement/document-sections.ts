import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import { formatAmount } from '#records/money/money.ts';
import type { Statement } from '#page/figures/statement.ts';
import type { DocumentSection } from '../document/document.ts';
import { sumOf } from '#mail/formatters/figure-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { methodLabel } from './breakdown-sections.ts';
import type { MethodWords } from './breakdown-sections.ts';

const NAME = { align: 'start' } as const;
const FIGURE = { align: 'end' } as const;

export function statesOfDocument(
  { counts, amounts }: Pick<Statement, 'counts' | 'amounts'>,
  formatter: FigureFormatter,
): DocumentSection {
  const { texts } = formatter;
  return {
    title: texts.say('statement.invoices'),
    ...(counts.notPaid !== 0 && { note: texts.say('statement.unpaid.meaning') }),
    columns: [
      { head: texts.say('state'), ...NAME },
      { head: texts.say('count'), ...FIGURE },
      { head: texts.say('amount'), ...FIGURE },
    ],
    rows: INVOICE_STATES.map((state) => [
      texts.say(`states.${state}`),
      formatter.count(counts[state]),
      formatter.bareAmount(amounts?.[state] ?? null),
    ]),
    total: [
      texts.say('states.total'),
      formatter.count(counts.total),
      formatter.bareAmount(amounts === null ? null : formatAmount(sumOf(amounts))),
    ],
  };
}

export function refundsOfDocument(
  { refunds }: Pick<Statement, 'refunds'>,
  formatter: FigureFormatter,
): DocumentSection {
  const { texts } = formatter;
  const { byStatus, count, total } = refunds;
  return {
    title: texts.say('statement.refundsByDate'),
    columns: [
      { head: texts.say('refundStatus'), ...NAME },
      { head: texts.say('count'), ...FIGURE },
      { head: texts.say('amount'), ...FIGURE },
    ],
    rows: Object.entries(byStatus)
      .slice(0, formatter.limits.list)
      .map(([status, of]) => [
        formatter.refundStatus(status),
        formatter.count(of.count),
        formatter.bareAmount(of.total),
      ]),
    total: [texts.say('allRefunds'), formatter.count(count), formatter.bareAmount(total)],
  };
}

/** Empty when unknown of one of the days. */
export function breakdownOfDocument(
  { breakdown }: Statement,
  words: MethodWords,
  formatter: FigureFormatter,
): DocumentSection[] {
  if (breakdown === null) return [];
  const { texts } = formatter;
  const { byType, byMethod } = breakdown;
  const columns = (head: string) => [
    { head, ...NAME },
    { head: texts.say('count'), ...FIGURE },
    { head: texts.say('amount'), ...FIGURE },
  ];
  const types: DocumentSection = {
    title: texts.say('byType'),
    columns: columns(texts.say('type')),
    rows: byType.map(({ type, all }) => [
      type === null ? texts.say('types.rest') : formatter.invoiceType(type),
      formatter.count(all.count),
      formatter.bareAmount(all.amount),
    ]),
  };
  if (byMethod === null) return [types];
  return [
    types,
    {
      title: texts.say('byMethod'),
      note: texts.say('byMethod.meaning'),
      columns: columns(texts.say('method')),
      rows: byMethod.map(({ method, count, amount }) => [
        methodLabel(method, words, formatter),
        formatter.count(count),
        formatter.bareAmount(amount),
      ]),
    },
  ];
}
