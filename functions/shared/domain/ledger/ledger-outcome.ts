import { presentEntries, statesByRound } from './ledger-rounds.ts';
import type { Ledger, LedgerEntry, RecipientStatus } from './ledger.ts';

/*
 * What a ledger says about its mail over all rounds. A `resend` is a round of its own. Its result adds to the
 * earlier rounds and takes nothing back.
 */

// A state that needs a person comes first: a mail that arrived does not hide one that did not.
const BY_URGENCY: readonly RecipientStatus[] = [
  'held',
  'failed',
  'complained',
  'bounced',
  'intended',
  'accepted',
  'delivered',
  'skipped',
];

function mostUrgent(statuses: Iterable<RecipientStatus>): RecipientStatus {
  const present = new Set(statuses);
  return BY_URGENCY.find((status) => present.has(status)) ?? 'skipped';
}

/** Whether a status means that every recipient has the mail, as far as is known. */
export function isReceived(status: RecipientStatus): status is 'accepted' | 'delivered' {
  return status === 'accepted' || status === 'delivered';
}

/** How certain it is that the recipient of an entry has the mail. */
function receipt({ status }: LedgerEntry): number {
  if (status === 'delivered') return 2;
  return status === 'accepted' ? 1 : 0;
}

/** The entry of each recipient that shows the mail arrived, or else the newest one. */
export function decisiveEntries(ledger: Ledger): Map<string, LedgerEntry> {
  const standing = new Map<string, LedgerEntry>();
  for (const entry of [...ledger.recipients].sort((one, other) => one.round - other.round)) {
    const known = standing.get(entry.to);
    if (known === undefined || receipt(entry) >= receipt(known)) standing.set(entry.to, entry);
  }
  return standing;
}

/**
 * What became of the mail at each recipient, over all rounds: at those of the present state, and at those of earlier
 * rounds who have the mail. A later mail to an address that is stopped by then takes nothing back.
 */
export function recipientStates(ledger: Ledger): LedgerEntry[] {
  const present = new Set(presentEntries(ledger).map(({ to }) => to));
  return [...decisiveEntries(ledger).values()].filter(
    ({ to, status }) => present.has(to) || isReceived(status),
  );
}

/**
 * The results after each of the given rounds, oldest first. A recipient who got the mail in that round or an
 * earlier one has it.
 */
function statusesOf(ledger: Ledger, isMeant: (round: number) => boolean): RecipientStatus[] {
  const best = new Map<string, LedgerEntry>();
  const statusOf = (entry: LedgerEntry): RecipientStatus => {
    const known = best.get(entry.to) ?? entry;
    const better = receipt(entry) >= receipt(known) ? entry : known;
    best.set(entry.to, better);
    return better.status;
  };
  return statesByRound(ledger, isMeant).map((entries) => mostUrgent(entries.map(statusOf)));
}

/**
 * The status of a ledger after its writer has finished. It is received as soon as all recipients have the
 * mail after any round. Otherwise it is the result of the newest round that has one.
 */
export function settledStatus(ledger: Ledger): RecipientStatus {
  const statuses = statusesOf(ledger, () => true);
  return statuses.findLast(isReceived) ?? statuses.findLast((status) => status !== 'skipped') ?? 'skipped';
}

/** The result of the current round alone: the answer to the caller who asked for it. */
export function roundStatus(ledger: Ledger): RecipientStatus {
  return mostUrgent(
    ledger.recipients.filter(({ round }) => round === ledger.round).map(({ status }) => status),
  );
}

/**
 * The status with which all recipients of an earlier round have the mail, whatever becomes of the current round.
 * `undefined` when no earlier round reached all of its recipients.
 */
export function receivedBefore(ledger: Ledger): 'accepted' | 'delivered' | undefined {
  return statusesOf(ledger, (round) => round < ledger.round).findLast(isReceived);
}

/** Whether all recipients of an earlier round have the mail, whatever becomes of the current round. */
export function wasReceivedBefore(ledger: Ledger): boolean {
  return receivedBefore(ledger) !== undefined;
}

/** Whether the mail was not to be sent by itself, whatever a `resend` did later. */
export function hadNothingToSend(ledger: Ledger): boolean {
  if ((ledger.nothingToSend ?? null) !== null) return true;
  return ledger.status === 'skipped' && ledger.recipients.length === 0;
}
