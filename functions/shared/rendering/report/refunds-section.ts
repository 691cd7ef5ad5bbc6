import type { RefundFigures, RefundTotals } from '#domain/figures/figures.ts';
import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import type { PageFigures, PageSection } from '../page/mail-page.ts';
import { moreLines, paragraph } from './more-lines.ts';

function refundFigures(totals: RefundTotals, formatter: FigureFormatter): PageFigures {
  const { texts } = formatter;
  const values = (sum: { count: number; total: string | null }) => [
    formatter.count(sum.count),
    formatter.amount(sum.total),
  ];
  const statuses = Object.entries(totals.byStatus).filter(([, { count }]) => count > 0);
  const rows = statuses.slice(0, formatter.limits.list).map(([status, sum]) => ({
    label: formatter.refundStatus(status),
    values: values(sum),
  }));
  const all = { label: texts.say('allRefunds'), values: values(totals), strong: true };
  return {
    columns: [texts.say('refundStatus'), texts.say('count'), texts.say('amount')],
    rows: statuses.length === 1 ? rows : [...rows, all],
  };
}

/** The refunds of the time's own sales, whenever they are given. */
function saleNote({ saleBasis }: RefundFigures, of: RefundsOf, formatter: FigureFormatter): string {
  const values = { count: saleBasis.count, amount: formatter.amount(saleBasis.total) };
  return formatter.texts.say(`${of}.ofSales`, values);
}

/** The name of the texts: refunds of a day, or of a week or month. */
export type RefundsOf = 'refunds' | 'refunds.period';

/**
 * The refunds of a time by status, and how much of its own sales is refunded so far. A report does not say that again when
 * it is the same.
 */
export function refundsSection(
  refunds: RefundFigures,
  formatter: FigureFormatter,
  of: RefundsOf = 'refunds',
): PageSection {
  const { texts } = formatter;
  const heading = texts.say('refunds');
  const { count, total, saleBasis } = refunds;
  const isSame = of === 'refunds' && saleBasis.count === count && saleBasis.total === total;
  const notes = isSame ? [] : [saleNote(refunds, of, formatter)];
  if (count === 0) return { heading, lines: [paragraph(texts.say(`${of}.none`))], notes };
  const shown = Object.values(refunds.byStatus).filter((status) => status.count > 0).length;
  return {
    heading,
    figures: refundFigures(refunds, formatter),
    notes: [
      ...moreLines(shown, formatter.limits.list, formatter).map(({ text }) => text),
      [texts.say(`${of}.meaning`), ...notes].join(' '),
    ],
  };
}
