import { presentRound, withEntry, withUnsettledHeld } from './ledger-progress.ts';
import { settledStatus, wasReceivedBefore } from './ledger-standing.ts';
import type { Ledger } from './ledger.ts';

/** Why a recipient certainly was not written to: its turn had not come. */
export const NEVER_BEGUN = 'the run that was to write to it did not finish';

/** Why a ledger was closed by somebody else than its writer. */
export const WRITER_GONE = 'the run that wrote it did not finish';

/**
 * Whether a writer has begun and will not finish.
 *
 * @param before milliseconds UTC; a writer whose time was over by then is dead
 */
export function isAbandoned(ledger: Ledger, before: number): boolean {
  return ledger.status === 'intended' && Date.parse(ledger.until) < before;
}

/**
 * The ledger of a dead writer, closed. What it had begun is `held`: it may or may not have been sent. Whose turn had
 * not come certainly has no mail, and is `failed`: the next run sends it. Where nobody knows whose turns there were, the
 * ledger itself is `held`.
 *
 * @param recipients hashes of those who were to get it, `undefined` where nobody knows
 * @param at ISO 8601, UTC
 */
export function withWriterGone(ledger: Ledger, recipients: Iterable<string> | undefined, at: string): Ledger {
  const whole = withNeverBegunFailed(withUnsettledHeld(ledger, at), recipients ?? [], at);
  // Others may have been meant to get it, or nobody is known of at all: a person must look.
  const isOpen = recipients === undefined || presentRound(whole).length === 0;
  const status = isOpen && !wasReceivedBefore(whole) ? 'held' : settledStatus(whole);
  return { ...whole, status, reason: WRITER_GONE };
}

/**
 * The ledger in which those have `failed` whose turn had not come, so that its present round is seen to lack them.
 *
 * @param recipients hashes of those who were to get it
 * @param at ISO 8601, UTC
 */
export function withNeverBegunFailed(ledger: Ledger, recipients: Iterable<string>, at: string): Ledger {
  const begun = new Set(presentRound(ledger).map(({ to }) => to));
  return [...new Set(recipients)]
    .filter((to) => !begun.has(to))
    .reduce(
      (known, to) => withEntry(known, { to, status: 'failed', messageId: null, at, reason: NEVER_BEGUN }),
      ledger,
    );
}
