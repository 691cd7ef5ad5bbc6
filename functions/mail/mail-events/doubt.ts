import { entryOf } from '#records/ledger/ledger-events.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import type { SesEvent } from './ses-event.ts';
import { dayAt } from '#records/day/business-day.ts';
import { OpsNotToldError } from '#records/errors/daybook-error.ts';
import type { Clock } from '#runtime/clock.ts';
import type { OpsNotices } from '../notices/ops-notices.ts';
import { namedInHead, ownerInWords, timeInWords } from './mail-tags.ts';

/** Tags alone prove nothing: anybody who may use the configuration set or invoke the function can write any. */
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
 * Our mails have one sender, one recipient, and a ledger entry from before the call. A bounce may name an address that
 * ours forwards to, so it must name ours only while the ledger lacks its message id.
 * @param sender hash of the address that Daybook sends from
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

const WHAT: Record<Doubt, string> = {
  'other sender':
    'Its mail has another sender than Daybook. Somebody else sends through the same configuration set, or the sender was changed since the mail went out.',
  'other recipient': 'Its mail went to another address than its tags say.',
  'no ledger': 'There is no ledger of its mail: it was deleted, or Daybook never sent that mail.',
  'no such message':
    'The ledger of its mail does not have this message: Daybook did not send it, or somebody changed the ledger.',
  'kind without ledger':
    'It is about a notice to ops or a preview. These have no ledger that the event could be checked against, so it suppresses no address.',
};

/**
 * One notice for each doubt and day (UTC), so that nobody can flood ops with events.
 * @throws {OpsNotToldError} when ops could not be notified; the event is to be retried
 */
export async function notifyOfDoubt(
  { opsNotices, clock }: { opsNotices: OpsNotices; clock: Clock },
  read: SesEvent,
  doubt: Doubt,
): Promise<void> {
  const about = `event not believed: ${doubt}, ${dayAt(clock.now(), 'UTC')}`;
  const { mail, event } = read;
  const { kind, recipient } = mail;
  const owner = ownerInWords(mail);
  const whose = owner === undefined ? '' : `, ${owner}`;
  const notified = await opsNotices.notifyOnce({
    about,
    ...namedInHead(mail),
    happened: 'an event of a mail is not believed',
    meaning: [
      `SES sent this event about a mail: ${event.is}. Daybook does not believe it.`,
      WHAT[doubt],
      `The tags of its mail: kind ${kind}${whose}${timeInWords(mail)}, recipient ${recipient} (SHA-256 of the address in lower case)`,
      `Message ${event.messageId}, ${event.at}`,
    ],
    tried: [
      'The event changed no ledger and suppressed no address.',
      'More such events may come today. They are in the log and in the metrics of mail-events. You get no further notice of them today (UTC).',
    ],
    toDo: [
      'Find out who sent the mail, or who changed its ledger.',
      'If the address must get no mail, stop it by hand with the last command.',
    ],
    headings: ['eventNotBelieved', 'addressStopped'],
    commands: [
      ...(mail.ledgerKey === undefined
        ? []
        : [{ shows: 'The ledger that the tags name', does: 'show object', key: mail.ledgerKey } as const]),
      {
        shows: 'The log of mail-events for this address',
        does: 'show log',
        functionName: 'mail-events',
        find: recipient,
      },
      {
        shows: 'Stops mail to the address',
        does: 'daybook',
        words: ['suppression', 'add', recipient, '--reason', 'bounced'],
      },
    ],
  });
  if (!notified)
    throw new OpsNotToldError(`ops could not be notified of an event that is not believed: ${doubt}`);
}
