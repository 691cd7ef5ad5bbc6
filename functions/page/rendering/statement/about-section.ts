import type { Statement } from '#page/figures/statement.ts';
import { moment } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { isolated } from '#mail/formatters/outside-text.ts';
import type { PageSection } from '#mail/template/mail-page.ts';
import { netSentences } from '../report/net-figures.ts';
import type { StatementAttachment, StatementInput } from './statement-input.ts';
import { asDayNet } from './statement-net.ts';

/** Names of the attached files in one text, `null` when there is none. */
export function attachedNames(
  attachments: readonly StatementAttachment[],
  { texts, limits }: FigureFormatter,
): string | null {
  const names = attachments.flatMap((file) =>
    file.kind === 'attached' ? [isolated(file.filename, limits.text)] : [],
  );
  return names.length === 0 ? null : names.join(texts.say('comma'));
}

export function tooBigSentences(
  attachments: readonly StatementAttachment[],
  { texts }: FigureFormatter,
): string[] {
  return attachments.flatMap((file) =>
    file.kind === 'too-big'
      ? [texts.say('attachment.tooBig', { format: isolated(file.format.toUpperCase()), count: file.rows })]
      : [],
  );
}

export function attachmentSentences(
  attachments: readonly StatementAttachment[],
  formatter: FigureFormatter,
): string[] {
  const filenames = attachedNames(attachments, formatter);
  return [
    ...(filenames === null ? [] : [formatter.texts.say('statement.attached', { filenames })]),
    ...tooBigSentences(attachments, formatter),
  ];
}

/** When the records were read. Empty when no day was. */
export function readSentences(
  { asOf }: Pick<Statement, 'asOf'>,
  timeZone: string,
  { texts }: FigureFormatter,
): string[] {
  if (asOf === null) return [];
  const [oldest, newest] = [asOf.oldest, asOf.newest].map((time) => moment(time, timeZone, texts));
  if (oldest === undefined || newest === undefined || oldest === newest) {
    return [texts.say('about.readAt', { time: newest ?? '' })];
  }
  return [texts.say('statement.readBetween', { oldest, newest })];
}

export function aboutSection(
  { merchant, statement, attachments }: StatementInput,
  formatter: FigureFormatter,
): PageSection {
  const { texts } = formatter;
  const sentences = [
    ...(statement.currency === null ? [] : netSentences(asDayNet(statement.net), formatter)),
    texts.say('statement.sums'),
    texts.say('about.noPromise'),
  ];
  return {
    heading: texts.say('about'),
    notes: [
      sentences.join(' '),
      ...attachmentSentences(attachments, formatter),
      ...readSentences(statement, merchant.timeZone, formatter),
    ],
  };
}
