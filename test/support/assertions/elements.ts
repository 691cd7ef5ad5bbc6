/** The same array. Throws `TypeError` when the value is not an array. */
export function elementsOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`this is not an array: ${String(value)}`);
  return value;
}
