/** A mistake on the command line: one line on stderr, exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
