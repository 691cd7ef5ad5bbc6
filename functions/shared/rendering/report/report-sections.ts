import type { InvoiceHighlights } from '#domain/figures/invoice-highlights.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import { manifestKey } from '#domain/storage/keys.ts';
import { longDay, moment } from '../formatters/day-formatter.ts';
import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import { isolated } from '../formatters/outside-text.ts';
import type { PageLine, PageSection } from '../page/mail-page.ts';
import { differenceSentences } from './difference-formatter.ts';
import { moreLines } from './more-lines.ts';
import type { ReportInput } from './report-input.ts';

/** The figures by type. Empty when all invoices are of one type. */
export function typesSection({ byType }: InvoiceHighlights, formatter: FigureFormatter): PageSection[] {
  const { texts } = formatter;
  const present = byType.filter(({ count }) => count > 0);
  if (present.length < 2) return [];
  const rows = present.slice(0, formatter.limits.list).map(({ type, count, amount }) => ({
    label: formatter.invoiceType(type),
    values: [formatter.count(count), formatter.amount(amount)],
  }));
  return [
    {
      heading: texts.say('byType'),
      figures: { columns: [texts.say('type'), texts.say('count'), texts.say('amount')], rows },
      notes: moreLines(present.length, rows.length, formatter).map(({ text }) => text),
    },
  ];
}

/** Whether the day's figures agree with the service's, and what does not agree. */
export function balanceSection(manifest: Manifest, formatter: FigureFormatter): PageSection {
  const { texts } = formatter;
  const heading = texts.say('balance');
  if (manifest.balanced) {
    const name = manifest.notCompared.length === 0 ? 'balance.balanced' : 'balance.balancedApart';
    return { heading, lines: [{ text: texts.say(name), tone: 'good' }] };
  }
  const { sentences, others } = differenceSentences(manifest.differences, formatter);
  return {
    heading,
    lines: [
      { text: texts.say('balance.unbalanced'), tone: 'bad' },
      ...sentences.map((text) => ({ text, tone: 'plain' as const })),
      ...moreLines(others, 0, formatter),
    ],
  };
}

/** The attached files, and those that are too large for the mail. */
export function attachmentsSection(
  attachments: ReportInput['attachments'],
  formatter: FigureFormatter,
): PageSection[] {
  const { texts } = formatter;
  if (attachments.length === 0) return [];
  const lines = attachments.map((attachment): PageLine => {
    const count = attachment.rows;
    if (attachment.kind === 'attached') {
      const values = { filename: isolated(attachment.filename, formatter.limits.text), count };
      return { text: texts.say('attachment.attached', values), tone: 'plain' };
    }
    const values = {
      format: isolated(attachment.format.toUpperCase()),
      key: formatter.outside(attachment.key),
      count,
    };
    return { text: texts.say('attachment.tooBig', values), tone: 'plain' };
  });
  return [{ heading: texts.say('attachments'), lines }];
}

/** Differences that the registry leaves out of the check. */
function notComparedNotes({ notCompared }: Manifest, formatter: FigureFormatter): string[] {
  const { sentences, others } = differenceSentences(notCompared, formatter);
  return [
    ...sentences.map((difference) => formatter.texts.say('balance.notCompared', { difference })),
    ...moreLines(others, 0, formatter).map(({ text }) => text),
  ];
}

/** Details that identify the revision, for questions about the mail. */
export function detailsSection({ merchant, manifest }: ReportInput, formatter: FigureFormatter): PageSection {
  const { texts } = formatter;
  const { merchantCode, day, revision, pull, pulledAt } = manifest;
  const values = {
    merchant: isolated(merchantCode),
    day: longDay(day, texts),
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
    notes: notComparedNotes(manifest, formatter),
  };
}
