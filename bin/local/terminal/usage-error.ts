/** A mistake of the person at the keyboard: told in one line on stderr, exit 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
