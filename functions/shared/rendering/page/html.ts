import Mustache from 'mustache';
import type { MailPage } from './mail-page.ts';
import { mailView } from './mail-view.ts';
import { ISOLATE_END, ISOLATE_START, escapeHtml } from '../formatters/outside-text.ts';
import { MAIL_TEMPLATE } from '../template/mail-template.ts';

/** Escapes a value for the template and turns its isolates into elements. */
function inline(value: unknown): string {
  return escapeHtml(String(value)).replaceAll(ISOLATE_START, '<bdi>').replaceAll(ISOLATE_END, '</bdi>');
}

/** The page as the HTML part of a mail: one column, no images, nothing loaded from elsewhere. */
export function toHtml(page: MailPage): string {
  return Mustache.render(MAIL_TEMPLATE[page.texts.direction], mailView(page), undefined, { escape: inline });
}
