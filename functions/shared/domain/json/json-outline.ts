const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
/** An integer with this many digits may be beyond 2^53. */
const MANY_DIGITS = 16;

/** What a JSON text contains, found without parsing it. */
export interface JsonOutline {
  /** How deep arrays and objects nest. */
  levels: number;
  /** An upper bound of the number of values. */
  values: number;
  /** The number of names in all objects together. */
  names: number;
  /** The number of names in the object that has the most. */
  widest: number;
  /** The places of integers with many digits: start and end of each, one after the other. */
  largeIntegers: number[];
}

/** Where reading a text stops: beyond these limits it is not parsed anyway. */
export interface OutlineLimits {
  levels: number;
  values: number;
  widest: number;
}

const NO_LIMITS: OutlineLimits = { levels: Infinity, values: Infinity, widest: Infinity };

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
 *
 * @param json a text that may be JSON; the outline is empty when it does not begin like an array or object
 * @param limits reading stops beyond the first of them
 */
export function outlineOf(json: string, limits = NO_LIMITS): JsonOutline {
  const outline: JsonOutline = { levels: 0, values: 1, names: 0, widest: 0, largeIntegers: [] };
  if (!/^\s*[[{]/.test(json)) return outline;
  let [depth, levels, values, names, widest] = [0, 0, 1, 0, 0];
  /** The number of names so far in each open object. */
  const open: number[] = [];
  let at = 0;
  scan: for (; at < json.length; at += 1) {
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
    const end = endOfLargeInteger(json, at + 1);
    if (end === at + 1) continue;
    outline.largeIntegers.push(at + 1, end);
    at = end - 1;
  }
  outline.levels = levels;
  outline.values = values;
  outline.names = names;
  outline.widest = widest;
  return outline;
}
