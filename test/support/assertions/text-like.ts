/** Matches every text that the pattern matches. It is `expect.stringMatching` without its type `any`. */
export function textLike(pattern: RegExp | string): unknown {
  return expect.stringMatching(pattern);
}
