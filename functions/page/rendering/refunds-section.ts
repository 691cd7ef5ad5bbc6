import type { RefundTotals } from '#records/figures/figure-schemas.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageFigures, PageSection } from '#mail/template/mail-layout.ts';
import { moreNotes, paragraph } from './mail-parts.ts';

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

/** The name of the texts: refunds of a day, or of a week or month. */
type RefundsOf = 'refunds' | 'refunds.period';

export function refundsSection(
  refunds: RefundTotals,
  formatter: FigureFormatter,
  of: RefundsOf = 'refunds',
): PageSection {
  const { texts } = formatter;
  const heading = texts.say('refunds');
  if (refunds.count === 0) return { heading, lines: [paragraph(texts.say(`${of}.none`))] };
  const shown = Object.values(refunds.byStatus).filter((status) => status.count > 0).length;
  return {
    heading,
    figures: refundFigures(refunds, formatter),
    notes: [...moreNotes(shown, formatter.limits.list, formatter), texts.say(`${of}.meaning`)],
  };
}
