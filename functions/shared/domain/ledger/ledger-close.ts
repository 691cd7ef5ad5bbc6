import { audienceOf } from './ledger-rounds.ts';
import { presentRound, withEntry, withUnsettledHeld } from './ledger-progress.ts';
import { settledStatus, wasReceivedBefore } from './ledger-outcome.ts';
import type { Ledger } from './ledger.ts';

/** Why a recipient certainly got no mail: the run did not get to it. */
export const NEVER_BEGUN = 'the run that was to write to it did not finish';

/** Why a ledger was closed by another run than its writer. */
export const WRITER_GONE = 'the run that wrote it did not finish';

/**
 * Whether a writer has begun and will not finish.
 *
 * @param before milliseconds UTC; a writer whose time ended before this is dead
 */
export function isAbandoned(ledger: Ledger, before: number): boolean {
  return ledger.status === 'intended' && Date.parse(ledger.until) < before;
}

/**
 * The closed ledger of a dead writer. An entry that it had begun becomes `held`: the mail may or may not have
 * been sent. A recipient that it had not begun certainly has no mail and becomes `failed`: the next run sends
 * it. When the recipients are not known, the ledger itself becomes `held`.
 *
 * @param recipients hashes of the recipients, `undefined` when they are not known
 * @param at ISO 8601, UTC
 */
export function withWriterGone(ledger: Ledger, recipients: Iterable<string> | undefined, at: string): Ledger {
  // The ledger names the recipients of a partial round.
  const known = audienceOf(ledger) ?? recipients;
  const whole = withNeverBegunFailed(withUnsettledHeld(ledger, at), known ?? [], at);
  // There may be other recipients, or none is known: a person must look.
  const isOpen = known === undefined || presentRound(whole).length === 0;
  const status = isOpen && !wasReceivedBefore(whole) ? 'held' : settledStatus(whole);
  return { ...whole, status, reason: WRITER_GONE };
}

/**
 * The ledger with the recipients added as `failed` that the writer had not begun. So its current round does
 * not look complete.
 *
 * @param recipients hashes of the recipients
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
