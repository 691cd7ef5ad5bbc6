import type { RefundBasis, RefundTotals } from '#domain/figures/figures.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import type { PageSection } from '../page/mail-page.ts';
import { moreLines } from './more-lines.ts';

function refundBasisSection(
  basis: RefundBasis,
  totals: RefundTotals,
  formatter: FigureFormatter,
): PageSection {
  const { texts } = formatter;
  const values = (sum: { count: number; total: string }) => [
    formatter.count(sum.count),
    formatter.amount(sum.total),
  ];
  const statuses = Object.entries(totals.byStatus);
  return {
    heading: texts.say(`refunds.${basis}`),
    figures: {
      columns: [texts.say('refundStatus'), texts.say('count'), texts.say('amount')],
      rows: [
        ...statuses.slice(0, formatter.limits.list).map(([status, sum]) => ({
          label: formatter.refundStatus(status),
          values: values(sum),
        })),
        { label: texts.say('allRefunds'), values: values(totals), strong: true },
      ],
    },
    notes: moreLines(statuses.length, formatter.limits.list, formatter).map(({ text }) => text),
  };
}

/** The refunds of the day, and those of the day's sales, each by status. */
export function refundSections(manifest: Manifest, formatter: FigureFormatter): PageSection[] {
  const { refunds } = manifest;
  const { texts } = formatter;
  if (refunds.count === 0 && refunds.saleBasis.count === 0) {
    return [{ heading: texts.say('refunds'), lines: [{ text: texts.say('noRefunds'), tone: 'plain' }] }];
  }
  return [
    refundBasisSection('refund', refunds, formatter),
    refundBasisSection('sale', refunds.saleBasis, formatter),
  ];
}
