/** FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE: a value between them keeps its own direction of writing. */
export const ISOLATE_START = '\u2068';
export const ISOLATE_END = '\u2069';

const BIDI_CONTROLS = /\p{Bidi_Control}/gu;
const BREAKS_AND_CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const SPECIAL = /[&<>"']/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The text, or its beginning and an ellipsis: at most `limit` UTF-16 units, never half of a character. */
export function bounded(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/**
 * Makes a text from outside harmless in a header, a line of a text part and a line of HTML (before escaping): line
 * breaks, tabs and control characters become a space, marks that turn the direction of writing vanish.
 *
 * @param limit UTF-16 units that are kept at most
 */
export function oneLine(text: string, limit = 500): string {
  // Cut first, so that a huge text costs no more than a long one; what vanishes can only make it shorter.
  const beginning = bounded(text, limit * 4).toWellFormed();
  return bounded(beginning.replace(BIDI_CONTROLS, '').replace(BREAKS_AND_CONTROLS, ' ').trim(), limit);
}

/** Whether a reader sees anything of the line of {@link oneLine}. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(oneLine(text));
}

/**
 * A value set into a sentence: one line, and isolated, so that an Arabic name does not turn an English line around
 * nor a figure an Arabic one. The marks cannot be forged, since {@link oneLine} takes them out of the value.
 *
 * @param limit UTF-16 units that are kept at most
 */
export function isolated(value: string, limit?: number): string {
  return `${ISOLATE_START}${oneLine(value, limit)}${ISOLATE_END}`;
}

/** The line without the marks of {@link isolated}. */
export function withoutIsolates(line: string): string {
  return line.replaceAll(ISOLATE_START, '').replaceAll(ISOLATE_END, '');
}

/** Text as HTML shows it, in an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(SPECIAL, (character) => ENTITIES[character] ?? '');
}
