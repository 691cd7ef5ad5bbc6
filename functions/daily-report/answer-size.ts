import type { Difference } from '#domain/figures/figures.ts';
import type { MailAnswer } from '#mailing/once/mail-answer.ts';

/*
 * A state machine accepts 256 KiB from a function and fails the state beyond that. Each refund id that the
 * service does not know is a difference, and lists of them may be long. So the answer names the first ones,
 * and says where to find the rest.
 */

const MOST_DIFFERENCES = 100;
const MOST_MESSAGE_IDS = 500;

/** The first differences, for the answer. The manifest has all of them. */
export function listedDifferences(differences: readonly Difference[]): Difference[] {
  const listed = differences.slice(0, MOST_DIFFERENCES);
  const more = differences.length - listed.length;
  if (more > 0) listed.push({ what: `${more} more, see the manifest`, service: null, rows: null });
  return listed;
}

/** The mail, for the answer. The ledger has the message of every recipient. */
export function listedMail(mail: MailAnswer): MailAnswer {
  return { ...mail, messageIds: mail.messageIds.slice(0, MOST_MESSAGE_IDS) };
}
