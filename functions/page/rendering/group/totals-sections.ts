import type { CurrencySum } from '#page/figures/group-page.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageFigures, PageSection } from '#mail/template/mail-page.ts';
import { statesSection } from '../invoices-section.ts';
import { netName, netSentences, asDayNet } from '../net.ts';
import type { GroupFormatter, CurrencyTotal } from './group-formatter.ts';

type SumOfCurrency = Pick<CurrencySum, 'counts' | 'amounts' | 'refunds' | 'net'>;
type Row = PageFigures['rows'][number];

/** Refunds, charges and net, below the invoices by state. */
function moneyRows(sum: SumOfCurrency, figures: FigureFormatter): Row[] {
  const { texts } = figures;
  const net = asDayNet(sum.net);
  const row = (label: string, count: string, amount: string | null): Row => ({
    label,
    values: [count, figures.amount(amount)],
  });
  return [
    row(texts.say('refunds'), figures.count(sum.refunds.count), sum.refunds.total),
    row(texts.say('statement.approvedRefunds'), '', sum.net.refunded),
    ...(net.charges.kind === 'none' ? [] : [row(texts.say('charges'), '', sum.net.charges)]),
    { ...row(netName(net.charges, figures), '', sum.net.net), strong: true },
  ];
}

/** The sums of one currency. @param of whose they are: merchants or days, in words */
export function currencySection(sum: SumOfCurrency, of: string, figures: FigureFormatter): PageSection {
  const { texts } = figures;
  const { figures: states, ...section } = statesSection(sum, figures);
  const hasAmounts = sum.amounts !== null;
  return {
    ...section,
    heading: texts.say('group.totals', { currency: figures.currency, merchants: of }),
    notes: netSentences(asDayNet(sum.net), figures),
    ...(states !== undefined && {
      figures: {
        columns: hasAmounts ? states.columns : [...states.columns, texts.say('amount')],
        rows: [
          ...states.rows.map((row) => (hasAmounts ? row : { ...row, values: [...row.values, ''] })),
          ...moneyRows(sum, figures),
        ],
      },
    }),
  };
}

/** The sums of each currency. Sums of different currencies are never added. */
export function totalsSections(totals: readonly CurrencyTotal[], formatter: GroupFormatter): PageSection[] {
  const { texts, limits } = formatter;
  const shown = totals.slice(0, limits.list);
  const more = totals.length - shown.length;
  return [
    ...shown.map(({ currency, sum }) =>
      currencySection(sum, texts.say('group.count', { count: sum.merchants }), formatter.in(currency)),
    ),
    ...(more > 0 ? [{ notes: [texts.say('group.currencies.more', { count: more })] }] : []),
  ];
}
