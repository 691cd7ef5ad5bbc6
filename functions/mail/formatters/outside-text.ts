/** Where a mail program must not see one word. No character of any text: `oneLine` removes it from values. */
export const ADDRESS_BREAK = '\uFDD0';
/** The same inside a long number. A text part leaves it out: a number with blanks is hard to copy. */
export const NUMBER_BREAK = '\uFDD1';

const BREAKS = /[\uFDD0\uFDD1]/gu;
/** The dots and other signs inside an address: `www.name.tld`, `name@host`, `https://`, `tel:1`, `1.2.3.4`. */
const JOINTS = [
  /(?<=\p{L})[.:\u3002\uFF0E\uFF61](?=\S)/u,
  /(?<=\S)[.\u3002\uFF0E\uFF61](?=\p{L})/u,
  /\/\/(?=\S)/u,
  /(?<=\S)@(?=\S)/u,
  /(?<=\d\.\d{1,3})\.(?=\d)/u,
]
  .map(({ source }) => source)
  .join('|');
const EVERY_JOINT = new RegExp(JOINTS, 'gu');
/** At least seven digits of any script, with the signs that people write between them. */
const LONG_NUMBERS = /\p{Nd}(?:[-\s()./]{0,3}\p{Nd}){6,}/gu;
const THREE_DIGITS = /(?:\p{Nd}[^\p{Nd}]*){3}(?=\p{Nd})/gu;

/**
 * The text with a mark wherever a mail program could find an address or a phone number: a customer chooses
 * the name that a merchant reads, and it must not become a link.
 * @param line of `oneLine`
 */
export function withLinkBreaks(line: string): string {
  return line
    .replaceAll(LONG_NUMBERS, (digits) => digits.replaceAll(THREE_DIGITS, `$&${NUMBER_BREAK}`))
    .replaceAll(EVERY_JOINT, `$&${ADDRESS_BREAK}`);
}

export function withoutLinkBreaks(text: string): string {
  return text.replaceAll(BREAKS, '');
}

/** FIRST STRONG ISOLATE: a value up to {@link ISOLATE_END} keeps its own direction of writing. */
export const ISOLATE_START = '\u2068';
/** POP DIRECTIONAL ISOLATE. */
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

/** The text, or its beginning and an ellipsis: at most `limit` UTF-16 units, never half a character. */
export function bounded(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/**
 * Makes a text from outside one safe line of a header, of text and of HTML (before escaping): no breaks, no
 * control characters, no marks of direction or of ours.
 * @param limit UTF-16 units that are kept
 */
export function oneLine(text: string, limit = 500): string {
  // Cut first, so that a huge text costs no more than a long one.
  const beginning = bounded(text, limit * 4).toWellFormed();
  return bounded(
    withoutLinkBreaks(beginning).replace(BIDI_CONTROLS, '').replace(BREAKS_AND_CONTROLS, ' ').trim(),
    limit,
  );
}

/** Whether a reader sees anything of the line of {@link oneLine}. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(oneLine(text));
}

/**
 * A value for a sentence: one line that keeps its direction, and that of what is around it. {@link oneLine}
 * removes such marks from the value, so they cannot be forged.
 */
export function isolated(value: string, limit?: number): string {
  return `${ISOLATE_START}${oneLine(value, limit)}${ISOLATE_END}`;
}

/** A stranger's text, such as a customer's name: {@link isolated}, and never a link. */
export function fromStranger(value: string, limit?: number): string {
  return `${ISOLATE_START}${withLinkBreaks(oneLine(value, limit))}${ISOLATE_END}`;
}

/** The line without marks, for places without elements. */
export function withoutIsolates(line: string): string {
  return withoutLinkBreaks(line).replaceAll(ISOLATE_START, '').replaceAll(ISOLATE_END, '');
}

/** {@link withoutIsolates} with usual spaces, for a cell of a sheet that people search and sort. */
export function inCell(line: string): string {
  return withoutIsolates(line).replaceAll('\u00A0', ' ');
}

export function escapeHtml(text: string): string {
  return text.replace(SPECIAL, (character) => ENTITIES[character] ?? '');
}
