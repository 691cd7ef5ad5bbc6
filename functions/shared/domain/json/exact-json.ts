import { outlineOf } from './json-outline.ts';

/**
 * An integer that is too large for a number. It keeps the digits that the service sent, and `JSON.stringify`
 * prints them unchanged.
 */
export type ExactInteger = { readonly rawJSON: string };

/** An integer of the contract: a safe number, or the digits of a larger one. */
export type Integer = number | ExactInteger;

// An integer beyond 2^53 has at least sixteen digits where a value may begin, which is rare.
const MAY_HOLD_LARGE_INTEGER = /[:[,]\s*-?\d{16}/;
/** Such an integer alone, without an array or object around it. */
const IS_LARGE_INTEGER = /^[ \t\n\r]*-?\d{16,}[ \t\n\r]*$/;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;
/** A colon follows a name and never a value. */
const AFTER_NAME = /\s*:/y;

/** Whether the value is an integer that is kept as its digits. */
export function isExactInteger(value: unknown): value is ExactInteger {
  return JSON.isRawJSON(value);
}

/** The members of a JSON object by their names. */
export type Members = Record<string, unknown>;

/**
 * Whether the value is an object with members: not an array, not `null`, not an integer that is kept as its
 * digits.
 */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactInteger(value);
}

/**
 * Characters that JSON can write as `\u00…` only, in one form. When a text does not contain one of them, no
 * string in the text can begin with it. So it can mark strings.
 */
const MARKS = [
  '01',
  '02',
  '03',
  '04',
  '05',
  '06',
  '07',
  '10',
  '11',
  '12',
  '13',
  '14',
  '15',
  '16',
  '17',
  '18',
];

function escaped(mark: string): string {
  return `\\u00${mark}`;
}

/** The text with its integers beyond 2^53 as marked strings. */
function withMarkedIntegers(text: string, places: readonly number[], mark: string): string {
  const parts: string[] = [];
  let done = 0;
  for (let index = 0; index < places.length; index += 2) {
    const [start = 0, end = 0] = [places[index], places[index + 1]];
    const digits = text.slice(start, end);
    const isFraction = /[.eE]/.test(text.charAt(end));
    if (isFraction || !INTEGER.test(digits) || Number.isSafeInteger(Number(digits))) continue;
    AFTER_NAME.lastIndex = end;
    // Unchanged, the text is not JSON and will be refused. As a string it would become a name that nobody
    // sent.
    if (AFTER_NAME.test(text)) continue;
    parts.push(text.slice(done, start), '"', escaped(mark), digits, '"');
    done = end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}

function exactOf(value: unknown, mark: number): unknown {
  if (typeof value === 'string') {
    return value.charCodeAt(0) === mark ? JSON.rawJSON(value.slice(1)) : value;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const exact = exactOf(item, mark);
      if (exact !== item) value[index] = exact;
    }
  } else if (isMembers(value)) {
    for (const name in value) {
      const member = value[name];
      const exact = exactOf(member, mark);
      // Not an assignment: `__proto__` is an ordinary name in JSON.
      if (exact !== member) {
        const property = { value: exact, enumerable: true, writable: true, configurable: true };
        Object.defineProperty(value, name, property);
      }
    }
  }
  return value;
}

function keepDigits(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context.source;
  return source !== undefined && INTEGER.test(source) ? JSON.rawJSON(source) : value;
}

/**
 * `JSON.parse` that keeps integers beyond 2^53 exactly. For texts without such integers it costs one search.
 * Otherwise they are parsed as marked strings: a reviver of `JSON.parse` takes five times the time and the
 * memory.
 *
 * @param largeIntegers of {@link outlineOf}, if it is known already
 * @throws {SyntaxError} whose message may quote the text: never pass it on
 */
export function parseExactJson(text: string, largeIntegers?: readonly number[]): unknown {
  if (IS_LARGE_INTEGER.test(text)) return JSON.parse(text, keepDigits);
  const isPlain =
    largeIntegers === undefined ? !MAY_HOLD_LARGE_INTEGER.test(text) : largeIntegers.length === 0;
  if (isPlain) return JSON.parse(text);
  const places = largeIntegers ?? outlineOf(text).largeIntegers;
  const mark = MARKS.find((candidate) => !text.includes(escaped(candidate)));
  // Only a deliberate text contains all of these characters.
  if (mark === undefined) return JSON.parse(text, keepDigits);
  return exactOf(JSON.parse(withMarkedIntegers(text, places, mark)), Number.parseInt(mark, 16));
}

/** The digits of an integer, as a key that is the same for equal integers. */
export function integerText(value: Integer): string {
  return typeof value === 'number' ? value.toString() : value.rawJSON;
}

/** A text, or the digits of a number as JSON writes them. `null` for any other value. */
export function textOrDigits(value: unknown): string | null {
  if (typeof value === 'string') return value;
  // In a sealed file a number that is too large for JavaScript is null.
  if (typeof value === 'number') return Number.isFinite(value) ? value.toString() : null;
  return isExactInteger(value) ? value.rawJSON : null;
}
