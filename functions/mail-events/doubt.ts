import { entryOf } from '#domain/ledger/ledger-events.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import type { SesEvent } from './ses-event.ts';

/**
 * Why an event is not believed. Tags alone prove nothing: whoever may send through the same configuration set, or may
 * invoke the function, can write any.
 */
export type Doubt =
  'other sender' | 'other recipient' | 'no ledger' | 'no such message' | 'kind without ledger';

/** The metric that counts each doubt. */
export const DOUBT_METRICS: Record<Doubt, string> = {
  'other sender': 'EventsOfOtherSenders',
  'other recipient': 'EventsOfOtherRecipients',
  'no ledger': 'EventsWithoutLedger',
  'no such message': 'EventsOfOtherMessages',
  'kind without ledger': 'EventsOfKindsWithoutLedger',
};

/**
 * Holds an event against what Daybook knows of its own mails. Each has one sender, one recipient, and an entry in its
 * ledger that was written before SES was asked to send: so an event of ours always finds it, however early it comes.
 *
 * A bounce may name another address behind ours (SES takes it from the report of the last server, where ours forwards
 * mail). So it must name ours only where the message id is not known yet and cannot vouch for it.
 *
 * @param sender hash of the address that Daybook sends from
 * @param ledger the one that the tags name, where there is one
 * @returns `undefined` where everything agrees
 */
export function doubtOf(
  { mail, event, envelope }: SesEvent,
  sender: string,
  ledger: Ledger | undefined,
): Doubt | undefined {
  if (envelope.sender !== sender) return 'other sender';
  const [destination, ...others] = envelope.destinations;
  if (destination !== mail.recipient || others.length > 0) return 'other recipient';
  if (mail.ledgerKey === undefined) return 'kind without ledger';
  if (ledger === undefined) return 'no ledger';
  const found = entryOf(ledger, event);
  if (found === undefined) return 'no such message';
  if (found.by === 'recipient' && envelope.affected?.includes(mail.recipient) === false) {
    return 'other recipient';
  }
  return undefined;
}
