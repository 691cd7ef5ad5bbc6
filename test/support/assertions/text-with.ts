/** Matches every text that contains the part. It is `expect.stringContaining` without its type `any`. */
export function textWith(part: string): unknown {
  return expect.stringContaining(part);
}
