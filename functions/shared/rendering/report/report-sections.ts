import { INVOICE_STATES } from '#domain/figures/figures.ts';
import type { Figures, InvoiceState, RefundTotals } from '#domain/figures/figures.ts';
import type { DayFigures } from '#domain/figures/history.ts';
import { manifestKey } from '#domain/storage/keys.ts';
import { figuresOf } from '#domain/revision/manifest.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import { formatAmount, parseSum } from '#domain/money/money.ts';
import { changedFigures } from './changed-figures.ts';
import type { RefundBasis } from './changed-figures.ts';
import { againstDayBefore, againstWeekday } from './comparison.ts';
import type { Comparison, ComparedState } from './comparison.ts';
import { longDay, moment, shortDay, weekday } from '../formatters/day-formatter.ts';
import { addDays } from '#domain/day/business-day.ts';
import { differenceSentences } from './difference-formatter.ts';
import { sumOf } from '../formatters/figure-formatter.ts';
import type { FigureWords } from '../formatters/figure-formatter.ts';
import type { InvoiceHighlights, UnpaidInvoice } from '#domain/figures/invoice-highlights.ts';
import type { PageFigures, PageItem, PageLine, PageSection } from '../page/mail-page.ts';
import { isVisible, isolated } from '../formatters/outside-text.ts';
import type { ReportInput } from './report-input.ts';
import { segmentsOf } from './trend.ts';

function moreLines(all: number, shown: number, { texts }: FigureWords): PageLine[] {
  return all > shown ? [{ text: texts.say('moreLines', { count: all - shown }), tone: 'plain' }] : [];
}

export function changesSection(before: Figures, manifest: Manifest, words: FigureWords): PageSection {
  const { texts } = words;
  const heading = texts.say('changes');
  const changes = changedFigures(before, figuresOf(manifest));
  if (changes.length === 0) return { heading, lines: [{ text: texts.say('changes.none'), tone: 'plain' }] };
  const rows = changes
    .slice(0, words.limits.list)
    .map((change) => ({ label: words.figure(change.figure), values: [words.change(change)] }));
  const values = `${texts.say('changes.was')}${texts.say('arrow')}${texts.say('changes.is')}`;
  return {
    heading,
    figures: { columns: [texts.say('changes.figure'), values], rows },
    notes: moreLines(changes.length, rows.length, words).map(({ text }) => text),
  };
}

/** One state: its figures, and below them its share of all and how far it is from other days. */
function stateRows(
  state: ComparedState,
  manifest: Manifest,
  comparisons: readonly { label: string; comparison: Comparison }[],
  words: FigureWords,
): PageFigures['rows'] {
  const { counts, amounts } = manifest;
  const sums = amounts === null ? null : { ...amounts, total: formatAmount(sumOf(amounts)) };
  const withAmount = (amount: () => string) => (sums === null ? [] : [amount()]);
  // Beside an amount below zero, the parts are of more than their sum.
  const isWhole = sums !== null && INVOICE_STATES.every((each) => parseSum(sums[each]) >= 0n);
  const shareOfAmount = () => (isWhole ? words.share(parseSum(sums[state]), parseSum(sums.total)) : '');
  const { [state]: count, total } = counts;
  const share =
    state === 'total' || count === null || total === null
      ? []
      : [words.share(BigInt(count), BigInt(total)), ...withAmount(shareOfAmount)];
  return [
    {
      label: words.texts.say(`states.${state}`),
      values: [words.count(count), ...withAmount(() => words.amount(sums?.[state] ?? null))],
      strong: true,
      ...(state !== 'total' && { shade: state }),
    },
    ...(share.some((value) => value !== '')
      ? [{ label: words.texts.say('share'), values: share, under: true }]
      : []),
    ...comparisons.flatMap(({ label, comparison }) => {
      const difference = comparison.differences[state];
      if (difference.count === null && difference.amount === null) return [];
      const values = [
        difference.count === null ? '' : words.countDifference(difference.count),
        ...withAmount(() =>
          difference.amount === null ? '' : words.amountDifference(difference.amount, comparison.days),
        ),
      ];
      return [{ label, values, under: true }];
    }),
  ];
}

/** A state that nothing is in and that nobody asks about is left out. */
function isShown(state: InvoiceState, { counts, amounts }: Manifest): boolean {
  return state !== 'other' || counts.other !== 0 || (amounts !== null && parseSum(amounts.other) !== 0n);
}

export function invoicesSection(
  manifest: Manifest,
  history: readonly DayFigures[],
  words: FigureWords,
): PageSection {
  const { texts } = words;
  const { counts, amounts, day } = manifest;
  const before = againstDayBefore(manifest, history);
  const average = againstWeekday(manifest, history);
  const name = isolated(weekday(day, texts));
  const comparisons = [
    ...(before === null
      ? []
      : [
          {
            label: texts.say('againstDay', { weekday: isolated(weekday(addDays(day, -1), texts)) }),
            comparison: before,
          },
        ]),
    ...(average === null
      ? []
      : [{ label: texts.say('againstAverage', { weekday: name }), comparison: average }]),
  ];
  const states = [...INVOICE_STATES.filter((state) => isShown(state, manifest)), 'total' as const];
  return {
    heading: texts.say('invoices'),
    ...(counts.total !== null && counts.total > 0 && { proportions: segmentsOf(counts, counts.total) }),
    figures: {
      columns: [texts.say('state'), texts.say('count'), ...(amounts === null ? [] : [texts.say('amount')])],
      rows: states.flatMap((state) => stateRows(state, manifest, comparisons, words)),
    },
    ...(average !== null && { notes: [texts.say('averageOf', { count: average.days, weekday: name })] }),
  };
}

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

export function refundSections(manifest: Manifest, words: FigureWords): PageSection[] {
  const { refunds } = manifest;
  const { texts } = words;
  if (refunds.count === 0 && refunds.saleBasis.count === 0) {
    return [{ heading: texts.say('refunds'), lines: [{ text: texts.say('noRefunds'), tone: 'plain' }] }];
  }
  return [refundBasisSection('refund', refunds, words), refundBasisSection('sale', refunds.saleBasis, words)];
}

function unpaidItem(invoice: UnpaidInvoice, words: FigureWords): PageItem {
  const { texts } = words;
  const id = words.outside(invoice.id);
  const named =
    [invoice.customer, invoice.reference].find((name) => name !== null && isVisible(name)) ?? null;
  const expires =
    invoice.expiresAt === null
      ? []
      : [texts.say('expires', { day: isolated(shortDay(invoice.expiresAt, texts)) })];
  const note = [texts.say('invoice', { id }), ...expires].join(texts.say('comma'));
  return {
    title: named === null ? texts.say('invoice', { id }) : words.outside(named),
    note,
    value: words.amount(invoice.amount),
    ...(invoice.url !== null && {
      link: {
        href: invoice.url,
        text: texts.say('paymentLink'),
        label: texts.say('paymentLink.of', { id }),
      },
    }),
  };
}

export function unpaidSections(highlights: InvoiceHighlights, words: FigureWords): PageSection[] {
  const { texts } = words;
  const { largestUnpaid, expiringSoon, expiringSoonCount } = highlights;
  const items = (invoices: readonly UnpaidInvoice[]) =>
    invoices.slice(0, words.limits.list).map((invoice) => unpaidItem(invoice, words));
  const soon = texts.say('expiringSoon.count', { count: expiringSoonCount ?? expiringSoon.length });
  return [
    ...(largestUnpaid.length === 0
      ? []
      : [{ heading: texts.say('largestUnpaid'), items: items(largestUnpaid) }]),
    ...(expiringSoon.length === 0
      ? []
      : [
          {
            heading: texts.say('expiringSoon'),
            lines: [{ text: soon, tone: 'plain' as const }],
            items: items(expiringSoon),
          },
        ]),
  ];
}

/** Where all invoices are of one type there is nothing to break down. */
export function typesSection({ byType }: InvoiceHighlights, words: FigureWords): PageSection[] {
  const { texts } = words;
  const present = byType.filter(({ count }) => count > 0);
  if (present.length < 2) return [];
  const rows = present.slice(0, words.limits.list).map(({ type, count, amount }) => ({
    label: words.invoiceType(type),
    values: [words.count(count), words.amount(amount)],
  }));
  return [
    {
      heading: texts.say('byType'),
      figures: { columns: [texts.say('type'), texts.say('count'), texts.say('amount')], rows },
      notes: moreLines(present.length, rows.length, words).map(({ text }) => text),
    },
  ];
}

export function balanceSection(manifest: Manifest, words: FigureWords): PageSection {
  const { texts } = words;
  const heading = texts.say('balance');
  if (manifest.balanced) {
    const name = manifest.notCompared.length === 0 ? 'balance.balanced' : 'balance.balancedApart';
    return { heading, lines: [{ text: texts.say(name), tone: 'good' }] };
  }
  const { sentences, others } = differenceSentences(manifest.differences, words);
  return {
    heading,
    lines: [
      { text: texts.say('balance.unbalanced'), tone: 'bad' },
      ...sentences.map((text) => ({ text, tone: 'plain' as const })),
      ...moreLines(others, 0, words),
    ],
  };
}

export function attachmentsSection(
  attachments: ReportInput['attachments'],
  words: FigureWords,
): PageSection[] {
  const { texts } = words;
  if (attachments.length === 0) return [];
  const lines = attachments.map((attachment): PageLine => {
    const count = attachment.rows;
    if (attachment.kind === 'attached') {
      const values = { filename: words.outside(attachment.filename), count };
      return { text: texts.say('attachment.attached', values), tone: 'plain' };
    }
    const values = {
      format: isolated(attachment.format.toUpperCase()),
      key: words.outside(attachment.key),
      count,
    };
    return { text: texts.say('attachment.tooBig', values), tone: 'plain' };
  });
  return [{ heading: texts.say('attachments'), lines }];
}

/** What does not agree, and is left out of the check by the registry. */
function notComparedNotes({ notCompared }: Manifest, words: FigureWords): string[] {
  const { sentences, others } = differenceSentences(notCompared, words);
  return [
    ...sentences.map((difference) => words.texts.say('balance.notCompared', { difference })),
    ...moreLines(others, 0, words).map(({ text }) => text),
  ];
}

export function detailsSection({ merchant, manifest }: ReportInput, words: FigureWords): PageSection {
  const { texts } = words;
  const { merchantCode, day, revision, pull, pulledAt } = manifest;
  const values = {
    merchant: isolated(merchantCode),
    day: isolated(longDay(day, texts)),
    revision: isolated(revision.toString()),
    pull: isolated(pull),
    pulledAt: moment(pulledAt, merchant.timeZone, texts),
    currency: isolated(merchant.currency),
    manifest: isolated(manifestKey(day, merchantCode, revision)),
  };
  const names = ['merchant', 'day', 'revision', 'pull', 'pulledAt', 'currency', 'manifest'] as const;
  return {
    heading: texts.say('details'),
    details: names.map((name) => ({ label: texts.say(`details.${name}`), value: values[name] })),
    notes: notComparedNotes(manifest, words),
  };
}
