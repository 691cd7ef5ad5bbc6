import Mustache from 'mustache';
import type { MailPage } from './mail-page.ts';
import { mailView } from './mail-view.ts';
import { ADDRESS_BREAK, NUMBER_BREAK } from '../formatters/link-breaks.ts';
import { ISOLATE_END, ISOLATE_START, escapeHtml } from '../formatters/outside-text.ts';
import { MAIL_TEMPLATE } from './mail-template.ts';

const BREAKS = new RegExp(`[${ADDRESS_BREAK}${NUMBER_BREAK}]`, 'gu');
/** Marks of isolates have become elements, so a word ends there. */
const WORD = /[^\s<>]+/gu;
/**
 * Unseen and not copied, but a program that looks for links finds a new line. After a `br` alone, Chromium no
 * longer finds the whole word.
 */
const BREAK = '<span style="display:none"><br></span>';

/**
 * Escapes a value and turns its marks into elements. Programs make no link inside an `a` without an address
 * (docs/mails.md).
 */
function inline(value: unknown): string {
  const text = escapeHtml(String(value)).replaceAll(ISOLATE_START, '<bdi>').replaceAll(ISOLATE_END, '</bdi>');
  // Nearly no value has a mark, and looking at each word takes longer than all the rest.
  if (text.search(BREAKS) < 0) return text;
  return text.replaceAll(WORD, (word) => {
    const broken = word.replaceAll(BREAKS, BREAK);
    return broken === word ? word : `<a>${broken}</a>`;
  });
}

/** The page as the HTML part of a mail: one column. Only a logo is loaded from elsewhere, where one is set. */
export function toHtml(page: MailPage): string {
  return Mustache.render(MAIL_TEMPLATE[page.texts.direction], mailView(page), undefined, { escape: inline });
}
