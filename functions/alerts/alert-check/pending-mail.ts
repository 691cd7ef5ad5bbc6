import type { PendingAlertMail } from '../rules/alert-state.ts';
import type { SenderProfile } from '#mail/message/sender-profile.ts';
import { alertLedgerKey } from '#records/storage/keys.ts';
import { OpsNotToldError } from '#records/errors/daybook-error.ts';
import { MailRefusedError } from '#mail/once/mail-errors.ts';
import type { MailAnswer } from '#mail/once/mail-answer.ts';
import type { MailPorts } from '#mail/once/mail-once.ts';
import type { OpsNotices } from '#mail/notices/ops-notices.ts';
import { tickOf } from './check-name.ts';
import { mailCheck, saidIn } from './mail-check.ts';
import type { AlertMailRequest } from './mail-check.ts';

/** Milliseconds that a refused mail is tried again at each check. */
const GIVE_UP_AFTER = 24 * 60 * 60 * 1_000;

export interface EarlierMail {
  /** `null` when none was pending, or it was refused. */
  answer: MailAnswer | null;
  /** Of a mail that was certainly refused in part, and is still pending. */
  refused: { pending: PendingAlertMail; error: MailRefusedError } | null;
}

export const NO_EARLIER_MAIL: EarlierMail = { answer: null, refused: null };

/** Joins two results: if the first attempt sent the mail and the second finds it sent, it was sent. */
export function laterOf(first: EarlierMail, second: EarlierMail): EarlierMail {
  const sent = second.refused === null && first.answer?.status === 'sent' ? first.answer : second.answer;
  return { answer: sent, refused: second.refused };
}

/**
 * Sends an earlier check's mail, which may have died before it did. A refused one does not stop the rules.
 * @throws {MailUnfinishedError} when time ran out
 */
export async function sendPendingMail(
  ports: MailPorts & { senderProfile: SenderProfile },
  request: Omit<AlertMailRequest, 'pending'> & { pending: PendingAlertMail | null },
): Promise<EarlierMail> {
  const { pending } = request;
  if (pending === null) return NO_EARLIER_MAIL;
  try {
    return { answer: await mailCheck(ports, { ...request, pending }), refused: null };
  } catch (error) {
    if (error instanceof MailRefusedError) return { answer: null, refused: { pending, error } };
    throw error;
  }
}

/** The mail that stays pending: the refused one, unless it is too old. @param tick milliseconds UTC */
export function stillPending({ refused }: EarlierMail, tick: number): PendingAlertMail | null {
  if (refused === null) return null;
  // A time in the future counts too, otherwise the mail would be tried until that time comes.
  if (Math.abs(tick - Date.parse(tickOf(refused.pending.check))) >= GIVE_UP_AFTER) return null;
  return refused.pending;
}

/**
 * Notifies ops, once, of a refused mail that is not tried again.
 * @throws {OpsNotToldError} when that failed; the mail must not be dropped then
 */
export async function notifyOfGivenUp(
  notices: OpsNotices,
  merchantCode: string,
  { refused }: EarlierMail,
): Promise<void> {
  if (refused === null) return;
  const { pending, error } = refused;
  const key = alertLedgerKey(merchantCode, pending.check);
  const notified = await notices.notifyOnce({
    about: `mail given up: ${key}`,
    merchants: [merchantCode],
    days: [pending.day],
    happened: 'alert mail was refused',
    meaning: [
      `The mail service refused the alert mail of check ${pending.check}. Some recipients did not get it.`,
      `${error.message}.`,
    ],
    tried: [
      'Each check tried it again. It is not tried any more: newer alerts replace it, or a day has passed.',
    ],
    toDo: [
      'Read the ledger. It says who did not get the mail (by the hash of the address), and why.',
      'Correct the cause: the sender, the address, or the quota of SES.',
      'Tell those recipients what the mail said. It is below.',
    ],
    headings: ['mailNotSent'],
    errors: [error.name],
    commands: [{ shows: 'The ledger of the mail', does: 'show object', key }],
    list: saidIn(pending.lines),
  });
  if (!notified) throw new OpsNotToldError(`ops could not be notified of the mail that was given up: ${key}`);
}
