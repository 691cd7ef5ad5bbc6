import { bounded } from '#mail/formatters/outside-text.ts';

const NO_BREAK_SPACE = '\u00A0';
/** They keep a value's direction to the value, and end with their text. */
const ISOLATES = /[\u2066-\u2069\u061C]/g;
/**
 * Characters that nobody sees, among them those that turn text round (U+202A to U+202E, U+200E, U+200F).
 * Isolates and the joiners that shape Arabic letters stay.
 */
const INVISIBLE =
  /(?![\u2066-\u2069\u061C\u200C\u200D])[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;
const STRAY_JOINERS = /(?<![\p{Script=Arabic}\p{M}])[\u200C\u200D]|[\u200C\u200D](?!\p{Script=Arabic})/gu;
const SPACES = /(?:[^\S\u00A0]|[\p{Cc}\p{Zl}\p{Zp}])+/gu;
const NO_BREAK_SPACES = /[\u2007\u202F]/g;
/** Marks on one letter. More of them would be printed over the lines above and below. */
const TOO_MANY_MARKS = /(\p{M}{3})\p{M}+/gu;

/**
 * A text as one paragraph, without invisible characters and those that change the direction of what is beside
 * them. Linear time.
 * @param limit UTF-16 units; a longer text ends in an ellipsis
 */
export function printableText(text: string, limit: number): string {
  // Cut first, so that a huge text costs no more than a long one.
  const beginning = bounded(text, limit * 4).toWellFormed();
  const seen = beginning
    .replace(NO_BREAK_SPACES, NO_BREAK_SPACE)
    .replace(SPACES, ' ')
    .replace(INVISIBLE, '')
    .replace(STRAY_JOINERS, '')
    .normalize('NFC')
    .replace(TOO_MANY_MARKS, '$1')
    .trim();
  return bounded(seen, limit);
}

/** The text without the marks of its directions, for what stores text in the order of speech. */
export function withoutDirections(text: string): string {
  return text.replace(ISOLATES, '');
}
