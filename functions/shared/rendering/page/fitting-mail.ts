import { toHtml } from './html.ts';
import type { MailPage, RenderedMail } from './mail-page.ts';
import { toPlainText } from './plain-text.ts';

/** How much of open ends a page shows. */
export interface Limits {
  /** Entries of a list, after which it says how many more there are. */
  list: number;
  /** UTF-16 units of a text from outside. */
  text: number;
}

/** From the usual ones to those that any mail fits with. */
const LIMITS = [
  { list: 50, text: 500 },
  { list: 15, text: 200 },
  { list: 6, text: 80 },
  { list: 3, text: 40 },
] as const satisfies readonly Limits[];

/** Gmail hides what comes after 102 kB behind a link. Bytes. */
const MOST_HTML = 100_000;

/** A page as text with all that the usual limits allow, and as HTML with as much of it as mail programs show whole. */
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
