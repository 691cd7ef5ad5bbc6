import type { DayNet } from '#records/figures/day-net.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { moment } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { isolated } from '#mail/formatters/outside-text.ts';
import type { PageLine, PageSection } from '#mail/template/mail-page.ts';
import { differenceSentences } from './difference-formatter.ts';
import { moreLines, paragraph } from './more-lines.ts';
import { netSentences } from './net-figures.ts';
import type { ReportInput } from './report-input.ts';

interface TypeFigures {
  type: string | null;
  count: number;
  amount: string;
}

/** Empty when all invoices are of one type. */
export function typesSection(byType: readonly TypeFigures[], formatter: FigureFormatter): PageSection[] {
  const { texts } = formatter;
  const present = byType.filter(({ count }) => count > 0);
  if (present.length < 2) return [];
  const rows = present.slice(0, formatter.limits.list).map(({ type, count, amount }) => ({
    label: type === null ? texts.say('types.rest') : formatter.invoiceType(type),
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

function notComparedLines({ notCompared }: Manifest, formatter: FigureFormatter): PageLine[] {
  const { sentences, others } = differenceSentences(notCompared, formatter);
  return [
    ...sentences.map((difference) => paragraph(formatter.texts.say('balance.notCompared', { difference }))),
    ...moreLines(others, 0, formatter),
  ];
}

export function checkSection(manifest: Manifest, formatter: FigureFormatter): PageSection[] {
  const { sentences, others } = differenceSentences(manifest.differences, formatter);
  const lines = [
    ...sentences.map(paragraph),
    ...moreLines(others, 0, formatter),
    ...notComparedLines(manifest, formatter),
  ];
  return lines.length === 0 ? [] : [{ heading: formatter.texts.say('balance'), lines }];
}

/** The attached files in one sentence, and one for each that is too large for the mail. */
function attachmentSentences(attachments: ReportInput['attachments'], formatter: FigureFormatter): string[] {
  const { texts } = formatter;
  const attached = attachments.filter((attachment) => attachment.kind === 'attached');
  const tooBig = attachments.filter((attachment) => attachment.kind === 'too-big');
  const filenames = attached
    .map(({ filename }) => isolated(filename, formatter.limits.text))
    .join(texts.say('comma'));
  return [
    ...attached.slice(0, 1).map(({ rows }) => texts.say('attachment.attached', { filenames, count: rows })),
    ...tooBig.map(({ format, rows }) =>
      texts.say('attachment.tooBig', { format: isolated(format.toUpperCase()), count: rows }),
    ),
  ];
}

export function aboutSection(
  input: ReportInput,
  net: DayNet | null,
  formatter: FigureFormatter,
): PageSection {
  const { merchant, manifest, attachments } = input;
  const { texts } = formatter;
  const time = moment(manifest.pulledAt, merchant.timeZone, texts);
  const readAt = texts.say('about.readAt', { time });
  const files = attachmentSentences(attachments, formatter);
  if (net === null) return { notes: [...files, readAt] };
  return {
    heading: texts.say('about'),
    notes: [[...netSentences(net, formatter), texts.say('about.noPromise')].join(' '), ...files, readAt],
  };
}
