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

/** For how long a mail that the mail service refuses is tried again at each check. Milliseconds. */
const GIVE_UP_AFTER = 24 * 60 * 60 * 1_000;

/** What became of the mail that an earlier check owes. */
export interface EarlierMail {
  /** `null` when none is owed, or it was refused. */
  answer: MailAnswer | null;
  /** Set when the mail service certainly did not take some of it: the mail is still owed then. */
  refused: { owed: PendingAlertMail; error: MailRefusedError } | null;
}

export const NO_EARLIER_MAIL: EarlierMail = { answer: null, refused: null };

/** What two looks at earlier mail came to: that the first one sent it is not forgotten when the second finds it sent. */
export function laterOf(first: EarlierMail, second: EarlierMail): EarlierMail {
  const sent = second.refused === null && first.answer?.status === 'sent' ? first.answer : second.answer;
  return { answer: sent, refused: second.refused };
}

/**
 * Sees to the mail that an earlier check owes, which a crash may have left undone. A refused one does not keep the
 * rules from moving on.
 *
 * @throws {MailUnfinishedError} when time ran out
 */
export async function sendPendingMail(
  ports: MailPorts & { senderProfile: SenderProfile },
  request: Omit<AlertMailRequest, 'owed'> & { owed: PendingAlertMail | null },
): Promise<EarlierMail> {
  const { owed } = request;
  if (owed === null) return NO_EARLIER_MAIL;
  try {
    return { answer: await mailCheck(ports, { ...request, owed }), refused: null };
  } catch (error) {
    if (error instanceof MailRefusedError) return { answer: null, refused: { owed, error } };
    throw error;
  }
}

/**
 * The mail that the state goes on to owe beside what this check finds: the refused one, unless its time is over.
 *
 * @param tick milliseconds UTC
 */
export function stillPending({ refused }: EarlierMail, tick: number): PendingAlertMail | null {
  if (refused === null) return null;
  // One of the future would be tried for as long as that is away.
  if (Math.abs(tick - Date.parse(tickOf(refused.owed.check))) >= GIVE_UP_AFTER) return null;
  return refused.owed;
}

/**
 * Tells ops, once, of a refused mail that will not be tried again.
 *
 * @throws {OpsNotToldError} when nobody could be told: then it must not be forgotten
 */
export async function notifyOfGivenUp(
  notices: OpsNotices,
  merchantCode: string,
  { refused }: EarlierMail,
): Promise<void> {
  if (refused === null) return;
  const { owed, error } = refused;
  const key = alertLedgerKey(merchantCode, owed.check);
  const told = await notices.notifyOnce(
    `mail given up: ${key}`,
    `Alert mail of merchant ${merchantCode} was refused`,
    [
      `The mail service refused the alert mail of check ${owed.check}, and it is not tried again: newer alerts take its place, or a day has passed.`,
      `${error.message}. Look into the ledger for who did not get it. It said:`,
      saidOf(owed.lines),
    ].join('\n'),
  );
  if (!told) throw new OpsNotToldError(`nobody could be told of the mail given up: ${key}`);
}
