/** An integer too large for a number. `JSON.stringify` prints the digits that the service sent. */
type ExactInteger = { readonly rawJSON: string };

/** An integer of the contract: a safe number, or the digits of a larger one. */
export type Integer = number | ExactInteger;

// An integer beyond 2^53 has at least sixteen digits where a value may begin, which is rare.
const MAY_HOLD_LARGE_INTEGER = /[:[,]\s*-?\d{16}/;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const AFTER_NAME = /\s*:/y;

export function isExactInteger(value: unknown): value is ExactInteger {
  return JSON.isRawJSON(value);
}

export type Members = Record<string, unknown>;

/** An object with members: not an array, not `null`, not an integer that is kept as its digits. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactInteger(value);
}

/**
 * Characters that JSON can write as `\u00…` only, in one form. When a text does not contain one of them, no
 * string in the text can begin with it. So it can mark strings.
 */
const MARKS = '01 02 03 04 05 06 07 10 11 12 13 14 15 16 17 18'.split(' ');

function escaped(mark: string): string {
  return `\\u00${mark}`;
}

function withMarkedIntegers(text: string, places: readonly number[], mark: string): string {
  const parts: string[] = [];
  let done = 0;
  for (let index = 0; index < places.length; index += 2) {
    const [start = 0, end = 0] = [places[index], places[index + 1]];
    const digits = text.slice(start, end);
    const isFraction = /[.eE]/.test(text.charAt(end));
    if (isFraction || !INTEGER.test(digits) || Number.isSafeInteger(Number(digits))) continue;
    AFTER_NAME.lastIndex = end;
    // Unchanged, the text is not JSON and will be refused. As a string it would become a name that nobody sent.
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
 * `JSON.parse` that keeps integers beyond 2^53 in arrays and objects exactly. For texts without such integers it
 * costs one search. Otherwise they are parsed as marked strings: a reviver of `JSON.parse` takes five times the
 * time and the memory.
 * @param largeIntegers of {@link outlineOf}, if it is known already
 * @throws {SyntaxError} whose message may quote the text: never pass it on
 */
export function parseExactJson(text: string, largeIntegers?: readonly number[]): unknown {
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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
/** An integer with this many digits may be beyond 2^53. */
const MANY_DIGITS = 16;

/** What a JSON text contains, found without parsing it. */
interface JsonOutline {
  levels: number;
  /** An upper bound of the number of values. */
  values: number;
  names: number;
  /** The number of names in the object that has the most. */
  widest: number;
  /** The places of integers with many digits: start and end of each, one after the other. */
  largeIntegers: number[];
}

/** Characters that each value beyond the first ones must take. A value costs time and memory, however short it is. */
const [SHORTEST_VALUE, FREE_VALUES] = [8, 20_000];

/** The most values that a text may have. @param most whatever its length */
export function mostValuesIn(text: string, most: number): number {
  return Math.min(most, FREE_VALUES + text.length / SHORTEST_VALUE);
}

/** Where reading a text stops: beyond limits it is not parsed anyway. */
const NO_LIMITS = { levels: Infinity, values: Infinity, widest: Infinity };

/** The end of the string that begins at `start`, or the end of the text. */
export function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return json.length;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The end of the integer with many digits that begins at `start`, or `start` itself when there is none. */
function endOfLargeInteger(json: string, start: number): number {
  const digits = json.charCodeAt(start) === MINUS ? start + 1 : start;
  // Hardly any number has this many digits, and this is the cheapest check.
  if (!isDigit(json.charCodeAt(digits + MANY_DIGITS - 1)) || !isDigit(json.charCodeAt(digits))) return start;
  let end = digits;
  while (isDigit(json.charCodeAt(end))) end += 1;
  return end - digits < MANY_DIGITS ? start : end;
}

/**
 * Reads a text before it is parsed, character by character outside of strings. Deep nesting overflows the
 * stack of recursive code, and many values take twenty times the memory of their text.
 * @param json a text that may be JSON; the outline is empty when it does not begin like an array or object
 * @param limits reading stops beyond the first of them
 */
export function outlineOf(json: string, limits = NO_LIMITS): JsonOutline {
  let [depth, levels, values, names, widest] = [0, 0, 1, 0, 0];
  const largeIntegers: number[] = [];
  const open: number[] = [];
  const end = /^\s*[[{]/.test(json) ? json.length : 0;
  scan: for (let at = 0; at < end; at += 1) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(json, at);
        continue;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        continue;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        values += 1;
        if (depth > levels) levels = depth;
        // Below zero in a text that is not JSON.
        if (depth >= 0) open[depth] = 0;
        if (levels > limits.levels || values > limits.values) break scan;
        break;
      case 0x3a: {
        // :
        names += 1;
        const own = (open[depth] ?? 0) + 1;
        open[depth] = own;
        if (own > widest) widest = own;
        if (widest > limits.widest) break scan;
        break;
      }
      case 0x2c: // ,
        values += 1;
        if (values > limits.values) break scan;
        break;
      default:
        continue;
    }
    // A value may begin here.
    let next = json.charCodeAt(at + 1);
    while (isBlank(next)) {
      at += 1;
      next = json.charCodeAt(at + 1);
    }
    if (next > 0x39 || next < MINUS) continue;
    const afterInteger = endOfLargeInteger(json, at + 1);
    if (afterInteger === at + 1) continue;
    largeIntegers.push(at + 1, afterInteger);
    at = afterInteger - 1;
  }
  return { levels, values, names, widest, largeIntegers };
}
