/** An integer too large for a number, kept as the digits that the service sent; `JSON.stringify` prints them as they came. */
export type ExactInteger = { readonly rawJSON: string };

/** A contract integer: a safe number, or the digits of a larger one. */
export type Integer = number | ExactInteger;

// A run of sixteen digits where a value may begin is the only way past 2^53, and it is rare.
const MAY_HOLD_LARGE_INTEGER = /[:[,]\s*-?\d{16}/;
const INTEGER = /^-?\d+$/;

export function isExactInteger(value: unknown): value is ExactInteger {
  return JSON.isRawJSON(value);
}

/** The members of a JSON object by their names. */
export type Members = Record<string, unknown>;

/** Whether the value is an object with members: no array, no `null`, no integer kept as its digits. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactInteger(value);
}

function keepDigits(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context.source;
  return source !== undefined && INTEGER.test(source) ? JSON.rawJSON(source) : value;
}

/**
 * `JSON.parse` that keeps integers beyond 2^53 exactly. Texts without such digits pay one search for it.
 *
 * @throws {SyntaxError} whose message may quote the text: never let it out
 */
export function parseExactJson(text: string): unknown {
  return MAY_HOLD_LARGE_INTEGER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

/** The digits of an integer, as a key that is the same for equal integers. */
export function integerText(value: Integer): string {
  return typeof value === 'number' ? value.toString() : value.rawJSON;
}
