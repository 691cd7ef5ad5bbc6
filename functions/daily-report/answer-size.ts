import type { Difference } from '#domain/figures/figures.ts';
import type { MailAnswer } from '#mailing/once/mail-once.ts';

/*
 * A state machine takes 256 KiB from a function and fails the state beyond that. Refund ids that the service does not
 * know are a difference each, and lists of them may be long; so the answer names the first ones, and says where the
 * rest stands.
 */

const MOST_DIFFERENCES = 100;
const MOST_MESSAGE_IDS = 500;

/** The differences as the answer has them; the manifest has every one. */
export function listedDifferences(differences: readonly Difference[]): Difference[] {
  const listed = differences.slice(0, MOST_DIFFERENCES);
  const more = differences.length - listed.length;
  if (more > 0) listed.push({ what: `${more} more, see the manifest`, service: null, rows: null });
  return listed;
}

/** The mail as the answer has it; the ledger has the message of every recipient. */
export function listedMail(mail: MailAnswer): MailAnswer {
  return { ...mail, messageIds: mail.messageIds.slice(0, MOST_MESSAGE_IDS) };
}
