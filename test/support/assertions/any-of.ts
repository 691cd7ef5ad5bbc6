/** Matches every value of a class, such as `String` or `Date`. It is `expect.any` without its type `any`. */
export function anyOf(type: unknown): unknown {
  return expect.any(type);
}
