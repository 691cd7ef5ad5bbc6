/** The value itself, if it is an object with members. Throws `Error` with its name for every other value. */
export function recordOf(value: unknown, what = 'a value'): Record<string, unknown> {
  if (!isRecord(value)) throw new Error(`${what} is not an object`);
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
