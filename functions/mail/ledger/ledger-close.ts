import { audienceOf } from './ledger-rounds.ts';
import { presentRound, withEntry, withUnsettledHeld } from './ledger-progress.ts';
import { settledStatus, wasReceivedBefore } from './ledger-outcome.ts';
import type { Ledger } from './ledger.ts';

export const NEVER_BEGUN = 'the run that was to write to it did not finish';

export const WRITER_GONE = 'the run that wrote it did not finish';

/** Whether a writer will not finish. @param before milliseconds UTC; one whose time ended earlier is dead */
export function isAbandoned(ledger: Ledger, before: number): boolean {
  return ledger.status === 'intended' && Date.parse(ledger.until) < before;
}

/**
 * The closed ledger of a dead writer. Begun entries become `held`: the mail may have been sent. Recipients
 * not begun become `failed`, and the next run sends it.
 * @param recipients hashes; `undefined`: unknown, and the ledger itself is `held`
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
 * Adds recipients that the writer had not begun as `failed`, so that the round does not look complete.
 * @param recipients hashes
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
