import { presentRound, withEntry } from './ledger-progress.ts';
import { settledStatus } from './ledger-outcome.ts';
import type { Ledger, LedgerEntry, RecipientStatus } from './ledger.ts';

/** What the mail service reports about one message. */
export interface MailEvent {
  is: 'sent' | 'delayed' | 'delivered' | 'soft bounce' | 'hard bounce' | 'rejected' | 'complaint';
  messageId: string;
  /** Hash of the address that the message was sent to. */
  recipient: string;
  /** When it happened, by the mail service's clock (ISO 8601, UTC). */
  at: string;
  /** The mail service's own words for the kind of bounce or complaint, never a text from outside. */
  detail: string | null;
}

/**
 * What an event changes. `known`: the ledger has the same or a better state. `unmatched`: no entry belongs to
 * it.
 */
export type LedgerChange =
  { outcome: 'changed'; ledger: Ledger } | { outcome: 'known' } | { outcome: 'unmatched' };

// An entry's reason begins with one of these. It shows later whether a bounce was soft or hard.
const SOFT_BOUNCE = 'soft bounce';
const HARD_BOUNCE = 'hard bounce';

function withDetail(what: string, detail: string | null): string {
  return detail === null ? what : `${what} (${detail})`;
}

/** The status and reason of an event, `undefined` when it decides nothing. */
function statusOf(event: MailEvent): Pick<LedgerEntry, 'status' | 'reason'> | undefined {
  switch (event.is) {
    case 'sent':
      return { status: 'accepted', reason: null };
    case 'delayed':
      return undefined;
    case 'delivered':
      return { status: 'delivered', reason: null };
    case 'soft bounce':
      return { status: 'bounced', reason: withDetail(SOFT_BOUNCE, event.detail) };
    case 'hard bounce':
      return { status: 'bounced', reason: withDetail(HARD_BOUNCE, event.detail) };
    case 'rejected':
      // Not `failed`: the next run would send the mail again by itself, and it would be rejected every time.
      return {
        status: 'bounced',
        reason: withDetail('rejected by the mail service after it was accepted', event.detail),
      };
    case 'complaint':
      return { status: 'complained', reason: withDetail('complaint', event.detail) };
  }
}

/**
 * How much an entry says. Of two reports about one message the one with more weight counts, whichever came
 * first. A soft bounce with a delivery is an automatic answer ("out of office"). A hard bounce with a
 * delivery means that a server accepted the mail and sent it back.
 */
function weight({ status, reason }: Pick<LedgerEntry, 'status' | 'reason'>): number {
  switch (status) {
    case 'intended':
    case 'held':
    case 'failed':
    case 'skipped':
      return 0;
    case 'accepted':
      return 1;
    case 'bounced':
      return reason?.startsWith(SOFT_BOUNCE) === true ? 2 : 4;
    case 'delivered':
      return 3;
    case 'complained':
      return 5;
  }
}

/**
 * Whether an event says more than the entry. With equal weight the earlier one counts, whatever the order of
 * arrival.
 */
function saysMore(said: Pick<LedgerEntry, 'status' | 'reason' | 'at'>, entry: LedgerEntry): boolean {
  const more = weight(said) - weight(entry);
  // The call itself shows that the mail was accepted. The service's own time for it adds nothing.
  if (more !== 0 || said.status === 'accepted') return more > 0;
  if (said.at !== entry.at) return said.at < entry.at;
  return (said.reason ?? '') < (entry.reason ?? '');
}

const UNSETTLED: ReadonlySet<RecipientStatus> = new Set(['intended', 'held']);

/** The entry that an event belongs to, and how it was found. */
export interface FoundEntry {
  entry: LedgerEntry;
  by: 'message' | 'recipient';
}

/**
 * The entry of a message: the one with the message's id, or the recipient's newest one of which it is not
 * known whether it was sent. It may be in any round, because a person may have sent the mail again before the
 * event came.
 */
export function entryOf(ledger: Ledger, event: MailEvent): FoundEntry | undefined {
  const isOfRecipient = ({ to }: LedgerEntry) => to === event.recipient;
  const known = ledger.recipients.find(
    (entry) => isOfRecipient(entry) && entry.messageId === event.messageId,
  );
  if (known !== undefined) return { entry: known, by: 'message' };
  const unsettled = ledger.recipients.findLast(
    (entry) => isOfRecipient(entry) && entry.messageId === null && UNSETTLED.has(entry.status),
  );
  return unsettled && { entry: unsettled, by: 'recipient' };
}

/**
 * The ledger after an event. The result does not depend on the order of events or on repetitions, as long as
 * a recipient has one message in a round.
 * The ledger's own status changes only after its writer has finished. Until then recipients may be left.
 */
export function ledgerAfter(ledger: Ledger, event: MailEvent): LedgerChange {
  const entry = entryOf(ledger, event)?.entry;
  if (entry === undefined) return { outcome: 'unmatched' };
  const status = statusOf(event);
  if (status === undefined) return { outcome: 'known' };
  const said = { ...status, at: event.at };
  if (!saysMore(said, entry)) return { outcome: 'known' };
  const changed = { ...entry, ...said, messageId: event.messageId };
  const after = {
    ...ledger,
    recipients: ledger.recipients.map((other) => (other === entry ? changed : other)),
  };
  const isFinished = ledger.status !== 'intended';
  return { outcome: 'changed', ledger: isFinished ? { ...after, status: settledStatus(after) } : after };
}

/**
 * The ledger after its writer knows how a call ended. An event may have been faster and say as much or more
 * about the message. When the writer does not know how the call ended, the event decides.
 */
export function withOutcome(ledger: Ledger, outcome: Omit<LedgerEntry, 'round'>): Ledger {
  const present = presentRound(ledger).find((entry) => entry.to === outcome.to);
  const knownId = present?.messageId ?? null;
  const isOfAnother = outcome.messageId !== null && outcome.messageId !== knownId;
  return knownId === null || isOfAnother ? withEntry(ledger, outcome) : ledger;
}

/**
 * Why the event's address must be suppressed, `undefined` when it need not be. A soft bounce passes, and a
 * rejection is about the mail itself.
 */
export function suppressionReason(event: MailEvent): string | undefined {
  if (event.is !== 'hard bounce' && event.is !== 'complaint') return undefined;
  return statusOf(event)?.reason ?? undefined;
}
