import { presentEntries, statesByRound } from './ledger-rounds.ts';
import type { Ledger, LedgerEntry, RecipientStatus } from './ledger.ts';

/** A `resend` is a round of its own: its result adds to earlier rounds and takes nothing back. */

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

export function isReceived(status: RecipientStatus): status is 'accepted' | 'delivered' {
  return status === 'accepted' || status === 'delivered';
}

/** How certain it is that the recipient of an entry has the mail. */
function receipt({ status }: LedgerEntry): number {
  if (status === 'delivered') return 2;
  return status === 'accepted' ? 1 : 0;
}

/** Each recipient's entry that shows the mail arrived, or else the newest. */
export function decisiveEntries(ledger: Ledger): Map<string, LedgerEntry> {
  const standing = new Map<string, LedgerEntry>();
  for (const entry of [...ledger.recipients].sort((one, other) => one.round - other.round)) {
    const known = standing.get(entry.to);
    if (known === undefined || receipt(entry) >= receipt(known)) standing.set(entry.to, entry);
  }
  return standing;
}

/**
 * Entries of the present state, and of earlier rounds those who have the mail: a later stop takes nothing
 * back.
 */
export function recipientStates(ledger: Ledger): LedgerEntry[] {
  const present = new Set(presentEntries(ledger).map(({ to }) => to));
  return [...decisiveEntries(ledger).values()].filter(
    ({ to, status }) => present.has(to) || isReceived(status),
  );
}

/** Results by round, the oldest first. Who got the mail in that round or an earlier one has it. */
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

/** Received as soon as all have the mail after any round; else the newest round's result. */
export function settledStatus(ledger: Ledger): RecipientStatus {
  const statuses = statusesOf(ledger, () => true);
  return statuses.findLast(isReceived) ?? statuses.findLast((status) => status !== 'skipped') ?? 'skipped';
}

export function roundStatus(ledger: Ledger): RecipientStatus {
  return mostUrgent(
    ledger.recipients.filter(({ round }) => round === ledger.round).map(({ status }) => status),
  );
}

/** The status of an earlier round that reached all of its recipients, if one did. */
export function receivedBefore(ledger: Ledger): 'accepted' | 'delivered' | undefined {
  return statusesOf(ledger, (round) => round < ledger.round).findLast(isReceived);
}

export function wasReceivedBefore(ledger: Ledger): boolean {
  return receivedBefore(ledger) !== undefined;
}

/** Whether the mail was not to be sent by itself, whatever a `resend` did later. */
export function hadNothingToSend(ledger: Ledger): boolean {
  if ((ledger.nothingToSend ?? null) !== null) return true;
  return ledger.status === 'skipped' && ledger.recipients.length === 0;
}
