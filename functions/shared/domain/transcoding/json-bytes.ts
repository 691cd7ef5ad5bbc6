/** Bytes of JSON in UTF-8. */
export const BYTE = {
  lineEnd: 0x0a,
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  openingBracket: 0x5b,
  backslash: 0x5c,
  closingBracket: 0x5d,
  n: 0x6e,
  openingBrace: 0x7b,
  closingBrace: 0x7d,
} as const;

/** What all functions here return when the bytes are not as expected. */
export const NOT_THERE = -1;

/** The end of the literal that stands at `at`. */
export function endOfLiteral(json: Uint8Array, at: number, literal: Uint8Array): number {
  for (let index = 0; index < literal.length; index += 1) {
    if (json[at + index] !== literal[index]) return NOT_THERE;
  }
  return at + literal.length;
}

/** The end of the string whose quote stands at `start`, after its last quote. */
export function endOfText(json: Uint8Array, start: number): number {
  if (json[start] !== BYTE.quote) return NOT_THERE;
  for (let at = start + 1; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === BYTE.quote) return at + 1;
    if (byte === BYTE.backslash) at += 1;
  }
  return NOT_THERE;
}

/** A value in the bytes of a text that may be JSON. */
export interface ValueOutline {
  /** Where it ends. */
  end: number;
  /** How deep arrays and objects nest in it. */
  levels: number;
  /** An upper bound of the values in it. */
  values: number;
  /** The number of names in all of its objects. */
  names: number;
}

/**
 * The value that stands at `start`, if the text is JSON. It is found by brackets, commas and strings only, so it must still be
 * parsed.
 */
export function outlineOfValue(json: Uint8Array, start: number): ValueOutline | undefined {
  let [depth, levels, values, names] = [0, 0, 1, 0];
  for (let at = start; at < json.length; at += 1) {
    switch (json[at] ?? 0) {
      case BYTE.quote: {
        const end = endOfText(json, at);
        if (end === NOT_THERE) return undefined;
        at = end - 1;
        break;
      }
      case BYTE.colon:
        names += 1;
        break;
      case BYTE.openingBracket:
      case BYTE.openingBrace:
        depth += 1;
        values += 1;
        if (depth > levels) levels = depth;
        break;
      case BYTE.closingBracket:
      case BYTE.closingBrace:
        if (depth === 0) return { end: at, levels, values, names };
        depth -= 1;
        if (depth === 0) return { end: at + 1, levels, values, names };
        break;
      case BYTE.comma:
        if (depth === 0) return { end: at, levels, values, names };
        values += 1;
        break;
    }
  }
  return undefined;
}
