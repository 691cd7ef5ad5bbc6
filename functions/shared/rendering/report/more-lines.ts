import type { FigureWords } from '../formatters/figure-formatter.ts';
import type { PageLine } from '../page/mail-page.ts';

/** A line that says how many more there are than are shown; none where all are. */
export function moreLines(all: number, shown: number, { texts }: FigureWords): PageLine[] {
  return all > shown ? [{ text: texts.say('moreLines', { count: all - shown }), tone: 'plain' }] : [];
}
