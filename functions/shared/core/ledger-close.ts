import { presentRound, settledStatus, withEntry, withUnsettledHeld } from './ledger-progress.ts';
import type { Ledger } from './ledger.ts';

/** Why a recipient certainly was not written to: its turn had not come. */
export const NEVER_BEGUN = 'the run that was to write to it did not finish';

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
  const held = withUnsettledHeld(ledger, at);
  const begun = new Set(presentRound(held).map(({ to }) => to));
  const left = [...new Set(recipients ?? [])].filter((to) => !begun.has(to));
  const whole = left.reduce(
    (known, to) => withEntry(known, { to, status: 'failed', messageId: null, at, reason: NEVER_BEGUN }),
    held,
  );
  // Others may have been meant to get it, or nobody is known of at all: a person must look.
  const isOpen = recipients === undefined || presentRound(whole).length === 0;
  const status = isOpen ? 'held' : settledStatus(whole);
  return { ...whole, status, reason: 'the run that wrote it did not finish' };
}
