import { endOfString, outlineOf, mostValuesIn } from './exact-json.ts';
import { countNames } from './repeated-names.ts';

/** A place in a text, as editors show it. Both begin at 1. A column counts UTF-16 units. */
export interface TextPlace {
  line: number;
  column: number;
}

/** Why a text is not JSON, and where. The reason quotes nothing from the text. */
interface JsonFault {
  /** UTF-16 units before the place. */
  offset: number;
  reason: string;
}

export function placeIn(text: string, offset: number): TextPlace {
  let [line, start] = [1, 0];
  for (const { index, 0: end } of text.slice(0, offset).matchAll(/\r\n|\r|\n/g)) {
    line += 1;
    start = index + end.length;
  }
  return { line, column: offset - start + 1 };
}

const LITERALS = ['true', 'false', 'null'];
const ESCAPED = /["\\/bfnrt]|u[0-9A-Fa-f]{4}/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d*)?/y;

/** The end of the number that begins at `start`, `undefined` when it is not complete. */
function endOfNumber(text: string, start: number): number | undefined {
  NUMBER.lastIndex = start;
  const number = NUMBER.exec(text)?.[0] ?? '-';
  return /\.(?!\d)|\D$/.test(number) ? undefined : start + number.length;
}

function stringFault(text: string, start: number, end: number): JsonFault | undefined {
  for (let at = start + 1; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || code === 0x0d) break;
    if (code < 0x20) {
      return { offset: at, reason: 'a control character must be written as \\u and four digits' };
    }
    if (code !== 0x5c) continue;
    ESCAPED.lastIndex = at + 1;
    if (!ESCAPED.test(text)) {
      const reason = 'a backslash must come before " \\ / b f n r t or u and four digits';
      return { offset: at, reason };
    }
    at += 1;
  }
  const isClosed = end < text.length && !/[\n\r]/.test(text.slice(start, end));
  return isClosed ? undefined : { offset: start, reason: 'a text is not closed on its line' };
}

type Expected = 'value' | 'name' | 'colon' | 'comma' | 'nothing';

const MISSING: Record<Expected, string> = {
  value: 'a value is missing',
  name: 'a name in double quotes is missing',
  colon: 'a colon is missing',
  comma: 'a comma or a closing bracket is missing',
  nothing: 'the JSON ended before this',
};

function faultAt(text: string, offset: number, expected: Expected): JsonFault {
  const next = text.charAt(offset);
  if (next === '') return { offset, reason: 'the text ends too early' };
  if (next === '/' && /[/*]/.test(text.charAt(offset + 1))) return { offset, reason: 'JSON has no comments' };
  if (/[\]}]/.test(next)) {
    if (expected === 'comma') return { offset, reason: 'another closing bracket is expected' };
    const isAfterComma = text.slice(0, offset).trimEnd().endsWith(',');
    if (isAfterComma) return { offset, reason: 'there is a comma before the closing bracket' };
  }
  if (next === "'" && (expected === 'value' || expected === 'name')) {
    return { offset, reason: 'a text must be in double quotes' };
  }
  return { offset, reason: MISSING[expected] };
}

/**
 * Finds the first place where a text is not JSON. `JSON.parse` does not always say where, and its message may
 * quote the text. Not recursive, because a text may nest deeply.
 * @returns `undefined` when the text is JSON
 */
export function jsonFault(text: string): JsonFault | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  let isFirst = false;
  let at = 0;
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma');
  for (;;) {
    while (/^[ \t\n\r]$/.test(text.charAt(at))) at += 1;
    const next = text.charAt(at);
    if (next === '' && expected === 'nothing') return undefined;
    const mayClose: boolean = isFirst || expected === 'comma';
    isFirst = false;
    if (next === '"' && (expected === 'value' || expected === 'name')) {
      const end = endOfString(text, at);
      const fault = stringFault(text, at, end);
      if (fault !== undefined) return fault;
      expected = expected === 'name' ? 'colon' : afterValue();
      at = end + 1;
    } else if ((next === '{' || next === '[') && expected === 'value') {
      open.push(next === '{' ? '}' : ']');
      expected = next === '{' ? 'name' : 'value';
      isFirst = true;
      at += 1;
    } else if (mayClose && next === open.at(-1)) {
      open.pop();
      expected = afterValue();
      at += 1;
    } else if (next === ',' && expected === 'comma') {
      expected = open.at(-1) === '}' ? 'name' : 'value';
      at += 1;
    } else if (next === ':' && expected === 'colon') {
      expected = 'value';
      at += 1;
    } else if (expected === 'value' && /[-\d]/.test(next)) {
      const end = endOfNumber(text, at);
      if (end === undefined) return { offset: at, reason: 'a number is not complete' };
      expected = afterValue();
      at = end;
    } else {
      const literal = expected === 'value' ? LITERALS.find((word) => text.startsWith(word, at)) : undefined;
      if (literal === undefined) return faultAt(text, at, expected);
      expected = afterValue();
      at += literal.length;
    }
  }
}

/** The most levels in JSON that people write: deeper nesting could overflow the stack. */
const MOST_LEVELS = 100;

/** The parsed text, or the reason why it cannot be used. The reason quotes nothing from the text. */
type BoundedJson =
  | {
      json: unknown;
      /** Whether a name appears twice in one object. All objects are walked for it, when somebody asks. */
      readonly repeats: boolean;
    }
  | { reason: string };

/** Where and why a text is not JSON, such as ` (line 3, column 1: a comma or a closing bracket is missing)`. */
function faultIn(text: string): string {
  const fault = jsonFault(text);
  if (fault === undefined) return '';
  const { line, column } = placeIn(text, fault.offset);
  return ` (line ${line}, column ${column}: ${fault.reason})`;
}

/**
 * Parses JSON that people write. The text is checked before it is parsed: a few kilobytes of brackets
 * overflow the stack, and a text of the shortest values takes thirty times its own size.
 * @param mostValues the most values, whatever the length
 */
export function boundedJson(text: string, mostValues: number): BoundedJson {
  const values = mostValuesIn(text, mostValues);
  const outline = outlineOf(text, { levels: MOST_LEVELS, values, widest: Infinity });
  if (outline.levels > MOST_LEVELS) return { reason: `nests deeper than ${MOST_LEVELS} levels` };
  if (outline.values > values) return { reason: 'holds more values than it could need' };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may hold addresses or credentials.
    return { reason: `is not JSON${faultIn(text)}` };
  }
  return {
    json,
    get repeats() {
      return countNames(json) < outline.names;
    },
  };
}
