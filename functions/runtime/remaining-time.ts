import type { Context } from 'aws-lambda';

/** Milliseconds: Lambda's own limit. */
const LONGEST_RUN = 15 * 60_000;

/** Milliseconds until the function is ended. A call by hand may pass no context, or an empty object. */
export function remainingTime(
  context: Partial<Pick<Context, 'getRemainingTimeInMillis'>> | undefined,
): number {
  return context?.getRemainingTimeInMillis?.() ?? LONGEST_RUN;
}
