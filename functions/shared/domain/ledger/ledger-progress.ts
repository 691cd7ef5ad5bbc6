import type { Ledger, LedgerEntry, RecipientStatus } from './ledger.ts';

/** Entries of the ledger's present round: the last word on each recipient. */
export function presentRound(ledger: Ledger): LedgerEntry[] {
  return ledger.recipients.filter((entry) => entry.round === ledger.round);
}

/** Recipients of the present round for whom nothing more is to be done: all but those certainly not sent to. */
export function finishedRecipients(ledger: Ledger): Set<string> {
  const finished = presentRound(ledger).filter((entry) => entry.status !== 'failed');
  return new Set(finished.map((entry) => entry.to));
}

/** Puts the entry in the place of the recipient's own in the present round, or behind the others. */
export function withEntry(ledger: Ledger, entry: Omit<LedgerEntry, 'round'>): Ledger {
  const isSame = (other: LedgerEntry) => other.to === entry.to && other.round === ledger.round;
  const present = { ...entry, round: ledger.round };
  const known = ledger.recipients.some(isSame);
  return {
    ...ledger,
    recipients: known
      ? ledger.recipients.map((other) => (isSame(other) ? present : other))
      : [...ledger.recipients, present],
  };
}

/**
 * The ledger of a writer that has stopped, one way or another: what it intended and did not settle may or may not
 * have been sent, and is `held` for a person to decide.
 *
 * @param at ISO 8601, UTC
 */
export function withUnsettledHeld(ledger: Ledger, at: string): Ledger {
  return {
    ...ledger,
    recipients: ledger.recipients.map((entry) =>
      entry.status === 'intended'
        ? { ...entry, status: 'held', at, reason: entry.reason ?? 'it is not known whether it was sent' }
        : entry,
    ),
  };
}

/** Who certainly was not sent to in the present round: the next run tries them again. */
export function refusedRecipients(ledger: Ledger): LedgerEntry[] {
  return presentRound(ledger).filter((entry) => entry.status === 'failed');
}

/**
 * The ledger in which those who certainly were not sent to are `skipped`, so that no run tries them again.
 *
 * @param at ISO 8601, UTC
 */
export function withRefusedSkipped(
  ledger: Ledger,
  reason: string,
  at: string,
  isMeant: (to: string) => boolean = () => true,
): Ledger {
  const meant = new Set(refusedRecipients(ledger).filter(({ to }) => isMeant(to)));
  return {
    ...ledger,
    recipients: ledger.recipients.map((entry) =>
      meant.has(entry) ? { ...entry, status: 'skipped', at, reason } : entry,
    ),
  };
}

/**
 * The ledger in which who certainly was not sent to, and is no recipient any more, is `skipped`: taking a refused
 * address out of the registry settles the mail.
 *
 * @param recipients the hashes of those who still are
 * @param at ISO 8601, UTC
 */
export function withFormerRecipientsSkipped(
  ledger: Ledger,
  recipients: { has: (to: string) => boolean },
  at: string,
): Ledger {
  return withRefusedSkipped(ledger, 'is no recipient any more', at, (to) => !recipients.has(to));
}

const PERHAPS_RECEIVED: ReadonlySet<RecipientStatus> = new Set([
  'intended',
  'accepted',
  'delivered',
  'complained',
  'held',
]);

/** Whether somebody has the mail, or may have it: what a later mail must be measured against. */
export function perhapsReceived(ledger: Ledger): boolean {
  return ledger.recipients.some((entry) => PERHAPS_RECEIVED.has(entry.status));
}
