import {
  presentEntries,
  statesByRound,
  audienceOf,
  presentRound,
  withEntry,
  withUnsettledHeld,
} from './ledger-rounds.ts';
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

function mostUrgent(statuses: readonly RecipientStatus[]): RecipientStatus {
  return BY_URGENCY.find((status) => statuses.includes(status)) ?? 'skipped';
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
function statusesOf(ledger: Ledger, before = Infinity): RecipientStatus[] {
  const best = new Map<string, LedgerEntry>();
  const statusOf = (entry: LedgerEntry): RecipientStatus => {
    const known = best.get(entry.to) ?? entry;
    const better = receipt(entry) >= receipt(known) ? entry : known;
    best.set(entry.to, better);
    return better.status;
  };
  return statesByRound(ledger, before).map((entries) => mostUrgent(entries.map(statusOf)));
}

/** Received as soon as all have the mail after any round; else the newest round's result. */
export function settledStatus(ledger: Ledger): RecipientStatus {
  const statuses = statusesOf(ledger);
  return statuses.findLast(isReceived) ?? statuses.findLast((status) => status !== 'skipped') ?? 'skipped';
}

export function roundStatus(ledger: Ledger): RecipientStatus {
  return mostUrgent(presentRound(ledger).map(({ status }) => status));
}

/** The status of an earlier round that reached all of its recipients, if one did. */
export function receivedBefore(ledger: Ledger): 'accepted' | 'delivered' | undefined {
  return statusesOf(ledger, ledger.round).findLast(isReceived);
}

export function wasReceivedBefore(ledger: Ledger): boolean {
  return receivedBefore(ledger) !== undefined;
}

/** Whether the mail was not to be sent by itself, whatever a `resend` did later. */
export function hadNothingToSend(ledger: Ledger): boolean {
  if ((ledger.nothingToSend ?? null) !== null) return true;
  return ledger.status === 'skipped' && ledger.recipients.length === 0;
}

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

/**
 * The later revision had nothing to send by itself, and a person sent it to some: its rounds say what became
 * of those recipients, the earlier ledger of the others.
 * @param later has partial rounds only
 */
export function continuedBy(earlier: Ledger, later: Ledger): Ledger {
  // The first round of the later ledger has no entries.
  const moved = <T extends { round: number }>(of: T): T => ({ ...of, round: of.round + earlier.round - 1 });
  const both: Ledger = {
    ...earlier,
    until: later.until,
    round: moved(later).round,
    partial: [...(earlier.partial ?? []), ...(later.partial ?? []).map(moved)],
    recipients: [...earlier.recipients, ...later.recipients.map(moved)],
  };
  return { ...both, status: later.status === 'intended' ? 'intended' : settledStatus(both) };
}

/** By what a second attempt may do about it. */
export interface Lacking {
  lacking: string[];
  having: number;
  /** Marked it as unwanted, and do not get it again. */
  complained: number;
  /** May have got it a moment ago, from a run that died. */
  perhaps: number;
}

/** Who lacks a mail. @param ledger over all its rounds @param recipients hashes of the present recipients */
export function lackingMail(ledger: Ledger, recipients: Iterable<string>): Lacking {
  const standing = decisiveEntries(ledger);
  const complained = new Set(
    ledger.recipients.filter(({ status }) => status === 'complained').map(({ to }) => to),
  );
  const found: Lacking = { lacking: [], having: 0, complained: 0, perhaps: 0 };
  for (const to of recipients) {
    const status = standing.get(to)?.status;
    // A recipient who joined after the mail has no entry. A mail that was not to be sent lacks nobody.
    if (status === undefined && hadNothingToSend(ledger)) continue;
    if (complained.has(to)) found.complained += 1;
    else if (status !== undefined && isReceived(status)) found.having += 1;
    else if (status === 'intended') found.perhaps += 1;
    else found.lacking.push(to);
  }
  return found;
}
