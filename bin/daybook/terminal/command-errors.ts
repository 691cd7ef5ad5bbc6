/** A command cannot do what was asked: one line on stderr, exit status 1. The line says what failed, where, and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** A mistake on the command line: one line on stderr, exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The person pressed Ctrl-C, here or at a question: exit status 130. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

export const INTERRUPTED = 130;

/** For the `catch` of a promise: what to give for errors of a kind. Every other error is thrown again. */
export function when<Thrown extends Error, Result>(
  kind: abstract new (...given: never[]) => Thrown,
  give: (error: Thrown) => Result,
): (error: unknown) => Result {
  return (error) => {
    if (error instanceof kind) return give(error);
    throw error;
  };
}
