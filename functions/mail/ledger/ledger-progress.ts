import { presentEntries } from './ledger-rounds.ts';
import type { Ledger, LedgerEntry, RecipientStatus } from './ledger.ts';

export function presentRound(ledger: Ledger): LedgerEntry[] {
  return ledger.recipients.filter((entry) => entry.round === ledger.round);
}

/** Recipients of the current round, except those who certainly have no mail. */
export function finishedRecipients(ledger: Ledger): Set<string> {
  const finished = presentRound(ledger).filter((entry) => entry.status !== 'failed');
  return new Set(finished.map((entry) => entry.to));
}

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

/** A stopped writer's unfinished entries become `held`: a person decides. @param at ISO 8601, UTC */
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

/** They certainly have no mail at present; the next run tries them again. */
export function refusedRecipients(ledger: Ledger): LedgerEntry[] {
  return presentEntries(ledger).filter((entry) => entry.status === 'failed');
}

/** Who certainly has no mail becomes `skipped`: no run tries again. @param at ISO 8601, UTC */
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
 * Former recipients without mail become `skipped`, so removing a refused address settles the mail.
 * @param recipients hashes
 * @param at ISO 8601, UTC
 */
export function withFormerRecipientsSkipped(
  ledger: Ledger,
  recipients: { has: (to: string) => boolean },
  at: string,
): Ledger {
  return withRefusedSkipped(ledger, 'is not a recipient any more', at, (to) => !recipients.has(to));
}

const PERHAPS_RECEIVED: ReadonlySet<RecipientStatus> = new Set([
  'intended',
  'accepted',
  'delivered',
  'complained',
  'held',
]);

/** Whether somebody has the mail, or may: a later mail must be compared with it. */
export function perhapsReceived(ledger: Ledger): boolean {
  return ledger.recipients.some((entry) => PERHAPS_RECEIVED.has(entry.status));
}
