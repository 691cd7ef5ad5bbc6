import { presentRound, withEntry, settledStatus } from './ledger-rounds.ts';
import type { Ledger, LedgerEntry, RecipientStatus } from './ledger.ts';

export interface MailEvent {
  is: 'sent' | 'delayed' | 'delivered' | 'soft bounce' | 'hard bounce' | 'rejected' | 'complaint';
  messageId: string;
  /** A hash. */
  recipient: string;
  /** ISO 8601, UTC, by the mail service's clock. */
  at: string;
  /** The service's own word for the kind, never a text from outside. */
  detail: string | null;
}

/** `known`: the ledger has the same or better. `unmatched`: no entry belongs to it. */
export type LedgerChange =
  { outcome: 'changed'; ledger: Ledger } | { outcome: 'known' } | { outcome: 'unmatched' };

// An entry's reason begins with one of these. It shows later whether a bounce was soft or hard.
const SOFT_BOUNCE = 'soft bounce';
const HARD_BOUNCE = 'hard bounce';

function withDetail(what: string, detail: string | null): string {
  return detail === null ? what : `${what} (${detail})`;
}

/** `undefined` when the event decides nothing. */
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
 * Of two reports the one with more weight counts, whichever came first. A soft bounce with a delivery is an
 * automatic answer; a hard one means that a server accepted the mail and sent it back.
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

/** With equal weight the earlier one counts, whatever the order of arrival. */
function saysMore(said: Pick<LedgerEntry, 'status' | 'reason' | 'at'>, entry: LedgerEntry): boolean {
  const more = weight(said) - weight(entry);
  // The call itself shows that the mail was accepted. The service's own time for it adds nothing.
  if (more !== 0 || said.status === 'accepted') return more > 0;
  if (said.at !== entry.at) return said.at < entry.at;
  return (said.reason ?? '') < (entry.reason ?? '');
}

const UNSETTLED: ReadonlySet<RecipientStatus> = new Set(['intended', 'held']);

interface FoundEntry {
  entry: LedgerEntry;
  by: 'message' | 'recipient';
}

/**
 * The entry of a message: by its id, else the recipient's newest that may have been sent; of any round,
 * because a person may have sent again before the event came.
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
 * The ledger after an event, whatever their order and repetition, with one message a round. Its own status
 * changes only after its writer has finished: until then recipients may be left.
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

/** The ledger after a call ended. A faster event decides when the writer does not know. */
export function withOutcome(ledger: Ledger, outcome: Omit<LedgerEntry, 'round'>): Ledger {
  const present = presentRound(ledger).find((entry) => entry.to === outcome.to);
  const knownId = present?.messageId ?? null;
  const isOfAnother = outcome.messageId !== null && outcome.messageId !== knownId;
  return knownId === null || isOfAnother ? withEntry(ledger, outcome) : ledger;
}

/** Why the address must be suppressed, if so. A soft bounce passes, a rejection is about the mail itself. */
export function suppressionReason(event: MailEvent): string | undefined {
  if (event.is !== 'hard bounce' && event.is !== 'complaint') return undefined;
  return statusOf(event)?.reason ?? undefined;
}
