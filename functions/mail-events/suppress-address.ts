import { mailStopKey } from '#domain/storage/keys.ts';
import type { MailEvent } from '#domain/ledger/ledger-events.ts';
import { OpsNotToldError } from '#domain/errors/ops-not-told-error.ts';
import type { SuppressionStore } from '#mailing/suppression-list.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';
import type { TaggedMail } from './mail-tags.ts';

/**
 * Stops mail to the event's address and tells ops, once for each stop: an event that finds another stop there has
 * nothing to add to it, and one that ops were told of does not bring back what a person has lifted since.
 *
 * @returns whether the stop is this event's, and news
 * @throws {OpsNotToldError} when it stands there and nobody could be told; the event is to come again
 */
export async function suppressAddress(
  { suppressionList, opsNotices }: { suppressionList: SuppressionStore; opsNotices: OpsNotices },
  mail: TaggedMail,
  { messageId, at }: MailEvent,
  reason: string,
): Promise<boolean> {
  const { recipient, kind, merchantCode, day } = mail;
  const about = `mail stopped: ${recipient}, message ${messageId}, ${reason}`;
  if (await opsNotices.wasNotified(about)) return false;
  if (!(await suppressionList.stop(recipient, { reason, at, messageId }))) return false;
  const whose = merchantCode === undefined ? '' : ` of merchant ${merchantCode}`;
  const lines = [
    `Mail to one address${whose} is stopped: ${reason}.`,
    `Address (SHA-256 of it in lower case): ${recipient}`,
    `Mail: ${kind}${day === undefined ? '' : `, day ${day}`}, message ${messageId}, ${at}`,
    '',
    'Reports and alerts to it are skipped from now on, and their ledgers say so. Once the address is mended, remove it',
    `from the suppression list of SES and delete ${mailStopKey(recipient)}.`,
  ];
  const told = await opsNotices.notifyOnce(about, `Mail to an address${whose} is stopped`, lines.join('\n'));
  if (!told) throw new OpsNotToldError(`nobody could be told of the stop ${mailStopKey(recipient)}`);
  return true;
}
