/** A matcher of vitest, which types them all as `any`, as a value that any member of an expected object may have. */
export function matcher(asymmetric: unknown): unknown {
  return asymmetric;
}
