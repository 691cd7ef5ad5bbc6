import type { RefundTotals } from '#domain/figures/figures.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { FigureWords } from '../formatters/figure-formatter.ts';
import type { PageSection } from '../page/mail-page.ts';
import type { RefundBasis } from './changed-figures.ts';
import { moreLines } from './more-lines.ts';

function refundBasisSection(basis: RefundBasis, totals: RefundTotals, words: FigureWords): PageSection {
  const { texts } = words;
  const values = (sum: { count: number; total: string }) => [words.count(sum.count), words.amount(sum.total)];
  const statuses = Object.entries(totals.byStatus);
  return {
    heading: texts.say(`refunds.${basis}`),
    figures: {
      columns: [texts.say('refundStatus'), texts.say('count'), texts.say('amount')],
      rows: [
        ...statuses.slice(0, words.limits.list).map(([status, sum]) => ({
          label: words.refundStatus(status),
          values: values(sum),
        })),
        { label: texts.say('allRefunds'), values: values(totals), strong: true },
      ],
    },
    notes: moreLines(statuses.length, words.limits.list, words).map(({ text }) => text),
  };
}

/** The refunds of the day, and those of the day's sales, each by status. */
export function refundSections(manifest: Manifest, words: FigureWords): PageSection[] {
  const { refunds } = manifest;
  const { texts } = words;
  if (refunds.count === 0 && refunds.saleBasis.count === 0) {
    return [{ heading: texts.say('refunds'), lines: [{ text: texts.say('noRefunds'), tone: 'plain' }] }];
  }
  return [refundBasisSection('refund', refunds, words), refundBasisSection('sale', refunds.saleBasis, words)];
}
