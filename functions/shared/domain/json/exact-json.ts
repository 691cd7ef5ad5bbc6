import { outlineOf } from './json-outline.ts';

/** An integer too large for a number, kept as the digits that the service sent; `JSON.stringify` prints them as they came. */
export type ExactInteger = { readonly rawJSON: string };

/** A contract integer: a safe number, or the digits of a larger one. */
export type Integer = number | ExactInteger;

// A run of sixteen digits where a value may begin is the only way past 2^53, and it is rare.
const MAY_HOLD_LARGE_INTEGER = /[:[,]\s*-?\d{16}/;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;
/** What follows a name, and no value. */
const AFTER_NAME = /\s*:/y;

export function isExactInteger(value: unknown): value is ExactInteger {
  return JSON.isRawJSON(value);
}

/** The members of a JSON object by their names. */
export type Members = Record<string, unknown>;

/** Whether the value is an object with members: no array, no `null`, no integer kept as its digits. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactInteger(value);
}

/**
 * Characters that JSON can only write as `\u00…`, in one way. One of them that a text does not write marks, as the first of
 * a string, what no string of the text can be.
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

/** The text with its integers beyond 2^53 as strings behind the mark. */
function withMarkedIntegers(text: string, places: readonly number[], mark: string): string {
  const parts: string[] = [];
  let done = 0;
  for (let index = 0; index < places.length; index += 2) {
    const [start = 0, end = 0] = [places[index], places[index + 1]];
    const digits = text.slice(start, end);
    const isFraction = /[.eE]/.test(text.charAt(end));
    if (isFraction || !INTEGER.test(digits) || Number.isSafeInteger(Number(digits))) continue;
    AFTER_NAME.lastIndex = end;
    // Left as it is, it is no JSON; as a string it would be a name that nobody sent.
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
      // Not an assignment: `__proto__` is a name like any other in JSON.
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
 * `JSON.parse` that keeps integers beyond 2^53 exactly. Texts without such digits pay one search for it. Where there are
 * some, they are parsed as marked strings: what `JSON.parse` hands a reviver costs five times the time and the memory.
 *
 * @param largeIntegers of {@link outlineOf}, where that is known already
 * @throws {SyntaxError} whose message may quote the text: never let it out
 */
export function parseExactJson(text: string, largeIntegers?: readonly number[]): unknown {
  const isPlain =
    largeIntegers === undefined ? !MAY_HOLD_LARGE_INTEGER.test(text) : largeIntegers.length === 0;
  if (isPlain) return JSON.parse(text);
  const places = largeIntegers ?? outlineOf(text).largeIntegers;
  const mark = MARKS.find((candidate) => !text.includes(escaped(candidate)));
  // Nobody writes all of them into one text without meaning to.
  if (mark === undefined) return JSON.parse(text, keepDigits);
  return exactOf(JSON.parse(withMarkedIntegers(text, places, mark)), Number.parseInt(mark, 16));
}

/** The digits of an integer, as a key that is the same for equal integers. */
export function integerText(value: Integer): string {
  return typeof value === 'number' ? value.toString() : value.rawJSON;
}
