import type { Statement } from '#page/figures/statement.ts';
import { moment } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageSection } from '#mail/template/mail-layout.ts';
import { netSentences, asDayNet } from '../net.ts';
import type { StatementInput } from './headline.ts';
import { attachmentSentences } from '../mail-parts.ts';
import type { PageAttachment } from '../mail-parts.ts';

/** The files of a statement's or a group's mail. */
export function attachedSentences(
  attachments: readonly PageAttachment[],
  formatter: FigureFormatter,
): string[] {
  return attachmentSentences(attachments, formatter, (filenames) =>
    filenames === null ? [] : [formatter.texts.say('statement.attached', { filenames })],
  );
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
      ...attachedSentences(attachments, formatter),
      ...readSentences(statement, merchant.timeZone, formatter),
    ],
  };
}
