const BIDI_CONTROLS = /\p{Bidi_Control}/gu;
const BREAKS_AND_CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * A text from outside, for one line of a terminal: a merchant's name, a value of the registry, an answer of AWS. Control
 * characters, which could move the cursor or change colours, become a space, and so do line breaks.
 *
 * @param limit the most UTF-16 units that are shown; an ellipsis stands for the rest
 */
export function shown(text: string, limit = 200): string {
  const beginning = text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
  return beginning.toWellFormed().replace(BIDI_CONTROLS, '').replace(BREAKS_AND_CONTROLS, ' ');
}

const ESCAPE = String.fromCharCode(27);
/** All but line breaks, tabs and styles. */
const STEERING = new RegExp(`(?!\\n|\\t|${ESCAPE}\\[[\\d;]*m)[\\p{Cc}\\p{Bidi_Control}]`, 'gu');

const LINE_BREAKS = /[\n\p{Zl}\p{Zp}]+/gu;

/**
 * A text as one line of a terminal, without what could steer it. Styles stay. A text from outside cannot make a line of its
 * own with it, such as a file whose name has a line break.
 */
export function oneLine(text: string): string {
  return harmless(text).replace(LINE_BREAKS, ' ');
}

/** A text without what could steer a terminal. Line breaks and styles stay. */
export function harmless(text: string): string {
  return text.replace(STEERING, '');
}

/** A JSON text in which such characters of strings are written as `\u202e`. It says the same. */
export function harmlessJson(json: string): string {
  return json.replace(STEERING, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A number with its noun: `1 merchant`, `2,000 merchants`. @param noun its plural ends with `s` */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first names of a list, and how many more there are: `2026-11-03, 2026-11-17 and 4 more`. */
export function firstNamed(names: readonly string[], most: number): string {
  const more = names.length - most;
  const first = names.slice(0, most).join(', ');
  return more > 0 ? `${first} and ${more.toLocaleString('en')} more` : first;
}

/** `at` (ISO 8601, UTC) in UTC to the minute: `2026-11-20 05:00`. `-` when it is not known. */
export function utcMinute(at: string | null): string {
  return at === null ? '-' : at.slice(0, 16).replace('T', ' ');
}
