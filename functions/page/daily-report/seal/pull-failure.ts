import { DaybookError } from '#records/errors/daybook-error.ts';
import type { PullFailure } from '#records/revision/check-record.ts';
import { PaymentsError } from '#service/errors.ts';

/** UTF-16 units. */
const LONGEST_SENTENCE = 300;

/**
 * What a pull's record says of its failure: the first sentence and the service's status, and how often it was tried.
 * @param before of the pull before, if that failed, too @param now milliseconds UTC
 */
export function failureAfter(before: PullFailure | undefined, error: unknown, now: number): PullFailure {
  const [sentence = ''] = error instanceof DaybookError ? error.message.split(/(?<=[.!?])\s/) : [];
  return {
    says: sentence === '' ? null : sentence.slice(0, LONGEST_SENTENCE).toWellFormed(),
    status: error instanceof PaymentsError ? (error.status ?? null) : null,
    tries: (before?.tries ?? 0) + 1,
    since: before?.since ?? new Date(now).toISOString(),
  };
}
