import { toHtml } from './page/html.ts';
import { LONGEST_SUBJECT } from './page/mail-page.ts';
import type { MailPage, RenderedMail } from './page/mail-page.ts';
import { bounded, isolated, oneLine } from './formatters/outside-text.ts';
import { textsIn } from './texts/texts.ts';

/** UTF-16 units. This is enough for every notice and within the limit of SNS. */
const LONGEST_TEXT = 16_000;

/** A mail to ops, in English: the text line by line, made safe. */
export function renderOpsNotice(notice: { subject: string; text: string }): RenderedMail {
  const lines = bounded(notice.text, LONGEST_TEXT)
    .split(/\r\n|[\r\n]/)
    .map((line) => oneLine(line, 2_000));
  const page: MailPage = {
    texts: textsIn('en'),
    marks: [],
    heading: isolated(notice.subject),
    preheader: lines[0] ?? '',
    sections: [{ lines: lines.filter((line) => line !== '').map((text) => ({ text, tone: 'plain' })) }],
    footer: [],
  };
  return {
    subject: oneLine(`[Daybook] ${notice.subject}`, LONGEST_SUBJECT),
    text: `${lines.join('\n')}\n`,
    html: toHtml(page),
  };
}
