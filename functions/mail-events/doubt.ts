import { entryOf } from '#domain/ledger/ledger-events.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import type { SesEvent } from './ses-event.ts';

/**
 * Why an event is not believed. Tags alone prove nothing: anybody who may use the same configuration set or
 * invoke the function can write any tags.
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
 * Compares an event with what Daybook knows of its own mails. Each mail has one sender and one recipient, and
 * an entry in its ledger that was written before SES got the mail. So an event about our mail always finds
 * its entry, however early it comes.
 * A bounce may name an address that ours forwards to (SES takes it from the report of the last server). So a
 * bounce must name our address only when its message id is not in the ledger yet.
 *
 * @param sender hash of the address that Daybook sends from
 * @param ledger the one that the tags name, if it exists
 * @returns `undefined` when everything agrees
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
