import { suppressionKey } from '#domain/storage/keys.ts';
import type { MailEvent } from '#domain/ledger/ledger-events.ts';
import { OpsNotToldError } from '#domain/errors/ops-not-told-error.ts';
import type { SuppressionStore } from '#mailing/suppression-list.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';
import { namedInHead, ownerInWords, timeInWords } from './mail-named.ts';
import type { TaggedMail } from './mail-tags.ts';

/**
 * Suppresses mail to the event's address and notifies ops, once for each suppression. An event that finds
 * another suppression there changes nothing. An event that ops already know does not bring back a suppression
 * that a person removed.
 *
 * @returns whether this event made the suppression, and it is new
 * @throws {OpsNotToldError} when it was written and ops could not be notified; the event is to be retried
 */
export async function suppressAddress(
  { suppressionList, opsNotices }: { suppressionList: SuppressionStore; opsNotices: OpsNotices },
  mail: TaggedMail,
  { messageId, at }: MailEvent,
  reason: string,
): Promise<boolean> {
  const { recipient, kind } = mail;
  const about = `mail stopped: ${recipient}, message ${messageId}, ${reason}`;
  if (await opsNotices.wasNotified(about)) return false;
  if (!(await suppressionList.suppress(recipient, { reason, at, messageId }))) return false;
  const owner = ownerInWords(mail);
  const whose = owner === undefined ? '' : ` of ${owner}`;
  const key = suppressionKey(recipient);
  const notified = await opsNotices.notifyOnce({
    about,
    ...namedInHead(mail),
    happened: 'mail to an address is stopped',
    meaning: [
      `Mail to one address${whose} is stopped: ${reason}. Its owner gets no mail of Daybook any more.`,
      `Address (SHA-256 of it in lower case): ${recipient}`,
      `Mail: ${kind}${timeInWords(mail)}, message ${messageId}, ${at}`,
    ],
    tried: ['Mails to it are skipped from now on, and their ledgers say so.'],
    toDo: [
      'The first command shows the address, if the registry still has it.',
      'If the address is dead, remove it from the registry, and ask the merchant for a new one.',
      'Once the address works again, remove its stop with the command suppression remove. It also takes it from the suppression list of SES.',
    ],
    headings: ['mailsBounce', 'addressStopped'],
    commands: [
      { shows: 'All stopped addresses, with the reasons', does: 'daybook', words: ['suppression', 'list'] },
      ...(mail.ledgerKey === undefined
        ? []
        : [{ shows: 'The ledger of the mail', does: 'show object', key: mail.ledgerKey } as const]),
    ],
  });
  if (!notified) throw new OpsNotToldError(`ops could not be notified of the suppression ${key}`);
  return true;
}
