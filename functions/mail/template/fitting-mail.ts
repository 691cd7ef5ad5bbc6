import { toHtml } from './html.ts';
import type { MailPage, RenderedMail } from './mail-page.ts';
import { toPlainText } from './plain-text.ts';

export interface Limits {
  list: number;
  /** The most rows of a table that is made for many. */
  rows: number;
  text: number;
}

/** From the usual limits to those with which every mail fits. */
const LIMITS = [
  { list: 50, rows: 200, text: 500 },
  { list: 15, rows: 200, text: 200 },
  { list: 6, rows: 120, text: 80 },
  { list: 3, rows: 40, text: 40 },
  { list: 2, rows: 10, text: 20 },
] as const satisfies readonly Limits[];

/** Bytes. Gmail hides what comes after 102 kB behind a link. */
const MOST_HTML = 100_000;

/** A page as text within the usual limits, and as HTML with as much as mail programs show in full. */
export function fittingMail(pageWithin: (limits: Limits) => MailPage): Pick<RenderedMail, 'text' | 'html'> {
  const [usual, ...tighter] = LIMITS;
  const page = pageWithin(usual);
  let html = toHtml(page);
  for (const limits of tighter) {
    if (Buffer.byteLength(html) <= MOST_HTML) break;
    html = toHtml(pageWithin(limits));
  }
  return { text: toPlainText(page), html };
}
