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
