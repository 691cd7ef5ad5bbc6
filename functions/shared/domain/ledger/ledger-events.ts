import { presentRound, withEntry } from './ledger-progress.ts';
import { settledStatus } from './ledger-standing.ts';
import type { Ledger, LedgerEntry, RecipientStatus } from './ledger.ts';

/** What the mail service says became of one message. */
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

/** What an event comes to: `known` when the ledger says it already, or better; `unmatched` when no entry is its own. */
export type LedgerChange =
  { outcome: 'changed'; ledger: Ledger } | { outcome: 'known' } | { outcome: 'unmatched' };

// Stand at the beginning of an entry's reason, which tells the one from the other afterwards.
const SOFT_BOUNCE = 'soft bounce';
const HARD_BOUNCE = 'hard bounce';

function withDetail(what: string, detail: string | null): string {
  return detail === null ? what : `${what} (${detail})`;
}

/** Status and reason that an event stands for, `undefined` for one that says nothing final. */
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
      // Not `failed`: the next run would send those again by itself, and the same mail would be rejected every time.
      return {
        status: 'bounced',
        reason: withDetail('rejected by the mail service after it was accepted', event.detail),
      };
    case 'complaint':
      return { status: 'complained', reason: withDetail('complaint', event.detail) };
  }
}

/**
 * How much an entry knows: of two things that are said of one message the weightier one stays, whichever came first.
 * A soft bounce beside a delivery is an automatic answer ("out of office"); a hard one is a server that took the mail
 * and sent it back.
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

/** Whether an event says more than the entry; of two that weigh the same the earlier one stays, in any order. */
function saysMore(said: Pick<LedgerEntry, 'status' | 'reason' | 'at'>, entry: LedgerEntry): boolean {
  const more = weight(said) - weight(entry);
  // That it was accepted is known from the call itself; the service's own time for it is no news.
  if (more !== 0 || said.status === 'accepted') return more > 0;
  if (said.at !== entry.at) return said.at < entry.at;
  return (said.reason ?? '') < (entry.reason ?? '');
}

const UNSETTLED: ReadonlySet<RecipientStatus> = new Set(['intended', 'held']);

/** The entry that an event is of, and by what it was found. */
export interface FoundEntry {
  entry: LedgerEntry;
  by: 'message' | 'recipient';
}

/**
 * The entry that tells of this message: of its recipient by the message's id, else the newest one of which it is not
 * known whether it was sent. In whatever round: a person may have sent the mail again before the event came.
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
 * The ledger after an event. Any events, in any order and however often each, end in the same ledger, as long as a
 * recipient has one message a round, which is what the ledger is for.
 *
 * The ledger's own status follows once its writer has finished; until then it says that recipients may be left.
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
 * The ledger after its writer has learnt how a call ended. An event may have been quicker, and knows as much or more of
 * the same message; where the writer does not know how the call ended, the event does.
 */
export function withOutcome(ledger: Ledger, outcome: Omit<LedgerEntry, 'round'>): Ledger {
  const present = presentRound(ledger).find((entry) => entry.to === outcome.to);
  const told = present?.messageId ?? null;
  const isOfAnother = outcome.messageId !== null && outcome.messageId !== told;
  return told === null || isOfAnother ? withEntry(ledger, outcome) : ledger;
}

/** Why mail to the event's address must stop, `undefined` when it need not: a soft bounce passes, a rejection is the mail's own. */
export function stopReason(event: MailEvent): string | undefined {
  if (event.is !== 'hard bounce' && event.is !== 'complaint') return undefined;
  return statusOf(event)?.reason ?? undefined;
}
