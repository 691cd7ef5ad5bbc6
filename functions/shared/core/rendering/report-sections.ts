import { localTime } from '../business-day.ts';
import { INVOICE_STATES } from '../figures.ts';
import type { Amounts, Figures, RefundTotals } from '../figures.ts';
import { manifestKey } from '../keys.ts';
import { figuresOf } from '../manifest.ts';
import type { Manifest } from '../manifest.ts';
import { formatAmount, parseAmount } from '../money.ts';
import { changedFigures } from './changed-figures.ts';
import type { RefundBasis } from './changed-figures.ts';
import { differenceSentence } from './difference-words.ts';
import type { FigureWords } from './figure-words.ts';
import type { PageSection } from './mail-page.ts';
import { isolated } from './outside-text.ts';
import type { ReportInput } from './report-input.ts';
import type { Texts } from './texts/texts.ts';

/** Longer lists end with how many more there are: a mail is read, the manifest holds them all. */
const LONGEST_LIST = 50;

export function changesSection(
  before: Figures,
  manifest: Manifest,
  words: FigureWords,
  texts: Texts,
): PageSection {
  const { heading, figure, was, is, none } = texts.changes;
  const changes = changedFigures(before, figuresOf(manifest));
  if (changes.length === 0) return { heading, lines: [{ text: none, tone: 'plain' }] };
  const rows = changes.slice(0, LONGEST_LIST).map((change) => ({
    label: words.figure(change.figure),
    values: [`${words.value(change.was)}${texts.arrow}${words.value(change.is)}`],
  }));
  const more = changes.length - rows.length;
  return {
    heading,
    table: { columns: [figure, `${was}${texts.arrow}${is}`], rows },
    ...(more > 0 && { lines: [{ text: texts.moreLines(words.count(more)), tone: 'plain' as const }] }),
  };
}

function sumOf(amounts: Amounts): string {
  return formatAmount(INVOICE_STATES.reduce((sum, state) => sum + parseAmount(amounts[state]), 0n));
}

export function invoicesSection(manifest: Manifest, words: FigureWords, texts: Texts): PageSection {
  const { counts, amounts } = manifest;
  const withAmount = (amount: string | undefined) => (amount === undefined ? [] : [words.amount(amount)]);
  return {
    heading: texts.invoices,
    table: {
      columns: [texts.state, texts.count, ...(amounts === null ? [] : [texts.amount])],
      rows: [
        ...INVOICE_STATES.map((state) => ({
          label: texts.states[state],
          values: [words.count(counts[state]), ...withAmount(amounts?.[state])],
        })),
        {
          label: texts.states.total,
          values: [words.count(counts.total), ...withAmount(amounts === null ? undefined : sumOf(amounts))],
          strong: true,
        },
      ],
    },
  };
}

function refundBasisSection(
  basis: RefundBasis,
  totals: RefundTotals,
  words: FigureWords,
  texts: Texts,
): PageSection {
  const values = (sum: { count: number; total: string }) => [words.count(sum.count), words.amount(sum.total)];
  return {
    heading: texts.refundBasis[basis],
    table: {
      columns: [texts.refundStatus, texts.count, texts.amount],
      rows: [
        ...Object.entries(totals.byStatus).map(([status, sum]) => ({
          label: words.refundStatus(status),
          values: values(sum),
        })),
        { label: texts.allRefunds, values: values(totals), strong: true },
      ],
    },
  };
}

export function refundSections(manifest: Manifest, words: FigureWords, texts: Texts): PageSection[] {
  const { refunds } = manifest;
  if (refunds.count === 0 && refunds.saleBasis.count === 0) {
    return [{ heading: texts.refunds, lines: [{ text: texts.noRefunds, tone: 'plain' }] }];
  }
  return [
    refundBasisSection('refund', refunds, words, texts),
    refundBasisSection('sale', refunds.saleBasis, words, texts),
  ];
}

export function balanceSection(manifest: Manifest, words: FigureWords, texts: Texts): PageSection {
  const { heading, balanced, unbalanced } = texts.balance;
  if (manifest.balanced) return { heading, lines: [{ text: balanced, tone: 'good' }] };
  const shown = manifest.differences.slice(0, LONGEST_LIST);
  const more = manifest.differences.length - shown.length;
  return {
    heading,
    lines: [
      { text: unbalanced, tone: 'bad' },
      ...shown.map((difference) => ({ text: differenceSentence(difference, texts), tone: 'plain' as const })),
      ...(more > 0 ? [{ text: texts.moreLines(words.count(more)), tone: 'plain' as const }] : []),
    ],
  };
}

export function attachmentSections(
  attachments: ReportInput['attachments'],
  words: FigureWords,
  texts: Texts,
): PageSection[] {
  if (attachments.length === 0) return [];
  const { heading, attached, tooBig, formats } = texts.attachment;
  const lines = attachments.map((attachment) => {
    const rows = words.count(attachment.rows);
    const text =
      attachment.kind === 'attached'
        ? attached(isolated(attachment.filename), rows)
        : tooBig(formats[attachment.format], rows, isolated(attachment.key));
    return { text, tone: 'plain' as const };
  });
  return [{ heading, lines }];
}

export function detailsSection({ merchant, manifest }: ReportInput, texts: Texts): PageSection {
  const { heading, ...labels } = texts.details;
  const { merchantCode, day, revision, pull, pulledAt } = manifest;
  const values: Record<keyof typeof labels, string> = {
    merchant: merchantCode,
    day,
    revision: revision.toString(),
    pull,
    pulledAt: `${localTime(pulledAt, merchant.timeZone)} (${merchant.timeZone})`,
    currency: merchant.currency,
    manifest: manifestKey(day, merchantCode, revision),
  };
  const names = ['merchant', 'day', 'revision', 'pull', 'pulledAt', 'currency', 'manifest'] as const;
  return {
    heading,
    table: {
      columns: [],
      rows: names.map((name) => ({ label: labels[name], values: [isolated(values[name])] })),
    },
  };
}
