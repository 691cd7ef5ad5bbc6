/** The value itself. Throws `Error` with the name of what is missing when there is no value. */
export function defined<T>(value: T | undefined | null, what = 'a value'): T {
  if (value === undefined || value === null) throw new Error(`${what} is missing`);
  return value;
}
