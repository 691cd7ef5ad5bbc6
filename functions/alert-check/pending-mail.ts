import type { PendingAlertMail } from '#domain/alerts/alert-state.ts';
import type { SenderProfile } from '#mailing/message/sender-profile.ts';
import { alertLedgerKey } from '#domain/storage/keys.ts';
import { OpsNotToldError } from '#domain/errors/ops-not-told-error.ts';
import { MailRefusedError } from '#mailing/once/mail-errors.ts';
import type { MailAnswer, MailPorts } from '#mailing/once/mail-once.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';
import { tickOf } from './check-name.ts';
import { mailCheck, saidOf } from './mail-check.ts';
import type { AlertMailRequest } from './mail-check.ts';

/** How long a mail that the mail service refuses is tried again at each check. Milliseconds. */
const GIVE_UP_AFTER = 24 * 60 * 60 * 1_000;

/** What became of the pending mail of an earlier check. */
export interface EarlierMail {
  /** `null` when no mail was pending, or it was refused. */
  answer: MailAnswer | null;
  /** Set when the mail service certainly refused a part of it. The mail is then still pending. */
  refused: { pending: PendingAlertMail; error: MailRefusedError } | null;
}

/** No check before this one has a pending mail. */
export const NO_EARLIER_MAIL: EarlierMail = { answer: null, refused: null };

/**
 * Joins two results for the earlier mail. If the first attempt sent it and the second finds it sent, the
 * result says that it was sent.
 */
export function laterOf(first: EarlierMail, second: EarlierMail): EarlierMail {
  const sent = second.refused === null && first.answer?.status === 'sent' ? first.answer : second.answer;
  return { answer: sent, refused: second.refused };
}

/**
 * Sends the pending mail of an earlier check, which may have died before it sent it. A refused mail does not
 * keep the rules from moving.
 *
 * @throws {MailUnfinishedError} when time ran out
 */
export async function sendPendingMail(
  ports: MailPorts & { senderProfile: SenderProfile },
  request: Omit<AlertMailRequest, 'pending'> & { pending: PendingAlertMail | null },
): Promise<EarlierMail> {
  const { pending: pending } = request;
  if (pending === null) return NO_EARLIER_MAIL;
  try {
    return { answer: await mailCheck(ports, { ...request, pending: pending }), refused: null };
  } catch (error) {
    if (error instanceof MailRefusedError) return { answer: null, refused: { pending: pending, error } };
    throw error;
  }
}

/**
 * The mail that stays pending beside the result of this check: the refused one, unless it is too old.
 *
 * @param tick milliseconds UTC
 */
export function stillPending({ refused }: EarlierMail, tick: number): PendingAlertMail | null {
  if (refused === null) return null;
  // A time in the future counts too, otherwise the mail would be tried until that time comes.
  if (Math.abs(tick - Date.parse(tickOf(refused.pending.check))) >= GIVE_UP_AFTER) return null;
  return refused.pending;
}

/**
 * Notifies ops, once, of a refused mail that is not tried again.
 *
 * @throws {OpsNotToldError} when ops could not be notified; the mail must not be dropped then
 */
export async function notifyOfGivenUp(
  notices: OpsNotices,
  merchantCode: string,
  { refused }: EarlierMail,
): Promise<void> {
  if (refused === null) return;
  const { pending: pending, error } = refused;
  const key = alertLedgerKey(merchantCode, pending.check);
  const notified = await notices.notifyOnce(
    `mail given up: ${key}`,
    `Alert mail of merchant ${merchantCode} was refused`,
    [
      `The mail service refused the alert mail of check ${pending.check}, and it is not tried again: newer alerts replace it, or a day has passed.`,
      `${error.message}. Look into the ledger for who did not get it. It said:`,
      saidOf(pending.lines),
    ].join('\n'),
  );
  if (!notified) throw new OpsNotToldError(`ops could not be notified of the mail that was given up: ${key}`);
}
