import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageLine } from '#mail/template/mail-page.ts';

/** A line of usual text. */
export function paragraph(text: string): PageLine {
  return { text, tone: 'plain' };
}

/** A line that says how many more there are than shown. Empty when all are shown. */
export function moreLines(all: number, shown: number, { texts }: FigureFormatter): PageLine[] {
  return all > shown ? [paragraph(texts.say('moreLines', { count: all - shown }))] : [];
}
