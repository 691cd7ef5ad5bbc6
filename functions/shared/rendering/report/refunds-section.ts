import type { RefundTotals } from '#domain/figures/figures.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import type { PageFigures, PageSection } from '../page/mail-page.ts';
import { moreLines, paragraph } from './more-lines.ts';

function refundFigures(totals: RefundTotals, formatter: FigureFormatter): PageFigures {
  const { texts } = formatter;
  const values = (sum: { count: number; total: string }) => [
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

/** The refunds of the day's own sales, whenever they are given. Empty when they are those of the day. */
function saleNotes({ refunds }: Manifest, formatter: FigureFormatter): string[] {
  const { count, total, saleBasis } = refunds;
  if (saleBasis.count === count && saleBasis.total === total) return [];
  const values = { count: saleBasis.count, amount: formatter.amount(saleBasis.total) };
  return [formatter.texts.say('refunds.ofSales', values)];
}

/** The refunds of the day by status, and how much of the day's own sales is refunded so far. */
export function refundsSection(manifest: Manifest, formatter: FigureFormatter): PageSection {
  const { refunds } = manifest;
  const { texts } = formatter;
  const heading = texts.say('refunds');
  const notes = saleNotes(manifest, formatter);
  if (refunds.count === 0) return { heading, lines: [paragraph(texts.say('noRefunds'))], notes };
  const shown = Object.values(refunds.byStatus).filter(({ count }) => count > 0).length;
  return {
    heading,
    figures: refundFigures(refunds, formatter),
    notes: [
      ...moreLines(shown, formatter.limits.list, formatter).map(({ text }) => text),
      [texts.say('refunds.meaning'), ...notes].join(' '),
    ],
  };
}
