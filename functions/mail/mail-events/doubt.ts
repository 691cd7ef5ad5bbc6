import { entryOf } from '../ledger/ledger-events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { SesEvent } from './ses-event.ts';

/**
 * Tags alone prove nothing: anybody who may use the configuration set or invoke the function can write any.
 */
export type Doubt =
  'other sender' | 'other recipient' | 'no ledger' | 'no such message' | 'kind without ledger';

export const DOUBT_METRICS: Record<Doubt, string> = {
  'other sender': 'EventsOfOtherSenders',
  'other recipient': 'EventsOfOtherRecipients',
  'no ledger': 'EventsWithoutLedger',
  'no such message': 'EventsOfOtherMessages',
  'kind without ledger': 'EventsOfKindsWithoutLedger',
};

/**
 * Our mails have one sender, one recipient, and a ledger entry from before the call. A bounce may name an
 * address that ours forwards to, so it must name ours only while the ledger lacks its message id.
 * @param sender hash of the address that Daybook sends from
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
