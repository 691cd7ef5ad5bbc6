import type { Ledger, LedgerEntry, RecipientStatus } from './ledger.ts';

/*
 * What a ledger says of its mail over all rounds. A `resend` is a round of its own: what it comes to stands beside what
 * is known of the rounds before, and takes nothing of it back.
 */

// What needs a person comes first; a mail that arrived does not hide one that did not.
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

/** Whether every recipient that a status speaks of has the mail, as far as can be known. */
export function isReceived(status: RecipientStatus): status is 'accepted' | 'delivered' {
  return status === 'accepted' || status === 'delivered';
}

/** How well it is known that the recipient of an entry has the mail. */
function receipt({ status }: LedgerEntry): number {
  if (status === 'delivered') return 2;
  return status === 'accepted' ? 1 : 0;
}

/** Of each recipient the entry by which it has the mail, else its newest. */
export function standingEntries(ledger: Ledger): Map<string, LedgerEntry> {
  const standing = new Map<string, LedgerEntry>();
  for (const entry of [...ledger.recipients].sort((one, other) => one.round - other.round)) {
    const known = standing.get(entry.to);
    if (known === undefined || receipt(entry) >= receipt(known)) standing.set(entry.to, entry);
  }
  return standing;
}

/** What each of these rounds came to, oldest first. What a recipient got in any round, it has. */
function statusesOf(ledger: Ledger, isMeant: (round: number) => boolean): RecipientStatus[] {
  const standing = standingEntries(ledger);
  const statusOf = (entry: LedgerEntry) => {
    const known = standing.get(entry.to)?.status ?? entry.status;
    return isReceived(known) ? known : entry.status;
  };
  const rounds = Map.groupBy(
    ledger.recipients.filter(({ round }) => isMeant(round)),
    ({ round }) => round,
  );
  return [...rounds]
    .sort(([one], [other]) => one - other)
    .map(([, entries]) => mostUrgent(entries.map(statusOf)));
}

/**
 * What a ledger's status is once its writer has finished: received, as soon as all recipients of any one round have the
 * mail; else the result of the newest round that has one.
 */
export function settledStatus(ledger: Ledger): RecipientStatus {
  const statuses = statusesOf(ledger, () => true);
  return statuses.findLast(isReceived) ?? statuses.findLast((status) => status !== 'skipped') ?? 'skipped';
}

/** What the present round came to on its own: the answer to whoever asked for it. */
export function roundStatus(ledger: Ledger): RecipientStatus {
  return mostUrgent(
    ledger.recipients.filter(({ round }) => round === ledger.round).map(({ status }) => status),
  );
}

/** Whether all recipients of a round before the present one have the mail, whatever becomes of the present one. */
export function wasReceivedBefore(ledger: Ledger): boolean {
  return statusesOf(ledger, (round) => round < ledger.round).some(isReceived);
}

/** Whether nobody was to get the mail by itself, whatever a `resend` did later. */
export function hadNothingToSend(ledger: Ledger): boolean {
  if ((ledger.nothingToSend ?? null) !== null) return true;
  return ledger.status === 'skipped' && ledger.recipients.length === 0;
}
