import { randomUUID, createHash } from 'node:crypto';
import type { PendingAlertMail } from '#records/ledger/alert-state.ts';
import type { AlertLine } from '#records/ledger/alert-line.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { LARGEST_SAID } from '#records/storage/object-bounds.ts';
import { alertLedgerKey } from '#records/storage/keys.ts';
import type { NoticeList, UnnamedNotice } from '#mail/notices/ops-notice.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { SenderProfile } from '#mail/message/mail-head.ts';
import { addressesOnce } from '#registry/mail-address.ts';
import { lackingRecipients, mailOnce } from '#mail/once/mail-once.ts';
import type { MailAnswer } from '#mail/once/mail-answer.ts';
import type { MailBeginning, MailPorts } from '#mail/once/mail-once.ts';
import { OpsNotToldError } from '#records/errors/daybook-error.ts';
import { MailRefusedError } from '#mail/once/mail-answer.ts';
import type { OpsNotices } from '#mail/notices/ops-notices.ts';

export const CHECK_NAME = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;
const NAME = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z-/;

/**
 * The name of a check: its tick and a hash of what its mail says, such as `20261120T103000Z-9f2c61aa`. The
 * same check's mail gets the same ledger on every run.
 * @param tick milliseconds UTC
 */
export function checkName(merchantCode: string, tick: number, lines: readonly AlertLine[]): string {
  const at = new Date(tick).toISOString();
  const hash = createHash('sha256')
    .update(JSON.stringify([merchantCode, at, lines]))
    .digest('hex');
  return `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z-${hash.slice(0, 8)}`;
}

/** The tick in a check's name, to the second: ISO 8601 in UTC. */
function tickOf(check: string): string {
  const tick = check.replace(NAME, '$1-$2-$3T$4:$5:$6Z ').slice(0, 20);
  return new Date(tick).toISOString();
}

interface AlertMailRequest {
  settings: MerchantSettings;
  pending: PendingAlertMail;
  /** Milliseconds UTC. */
  deadline: number;
  /** To the recipients who do not have it. */
  resend?: boolean;
}

/** Without invoices and refunds, because ledgers stay for long, and nothing that takes the room of entries. */
function keptOf({ day, lines }: PendingAlertMail): Pick<Ledger, 'says'> {
  const says = { day, lines: lines.map((line) => ({ ...line, items: [] })) };
  return Buffer.byteLength(JSON.stringify(says)) <= LARGEST_SAID ? { says } : {};
}

/** The rules and their changes, such as `too-many-unpaid: firing`. */
export function saidIn(lines: readonly AlertLine[]): NoticeList {
  return {
    heading: 'What the mail said',
    lines: lines.map(({ rule, says }) => `${rule}: ${says}`),
    total: lines.length,
  };
}

function heldNotice(
  merchantCode: string,
  { check, day, lines }: PendingAlertMail,
  held: number,
): UnnamedNotice {
  return {
    merchants: [merchantCode],
    days: [day],
    happened: 'alert mail is held',
    meaning: [
      `It is not known whether the alert mail of check ${check} reached ${held} of its recipients.`,
      'The connection to SES broke after the mail was handed over, or the run died at that moment.',
    ],
    tried: [
      'Daybook does not send the mail again by itself, because a recipient could then get it twice.',
      'Events of SES settle most held mails within minutes, if a configuration set is used.',
    ],
    toDo: [
      'Read the ledger. If no entry is "held" any more, you need do nothing.',
      'Otherwise look for the mail in the log of SES, or ask the recipient whether it arrived.',
      'If it did not arrive, send it again with the last command. It goes to those recipients only who do not have the mail.',
    ],
    headings: ['mailHeld'],
    commands: [
      { shows: 'The ledger of the mail', does: 'show object', key: alertLedgerKey(merchantCode, check) },
      {
        shows: 'Sends the mail again, to the recipients who do not have it',
        does: 'daybook',
        words: ['alerts', 'resend', merchantCode, check],
      },
    ],
    list: saidIn(lines),
  };
}

/** Sends the mail of a check once to each recipient. @throws as {@link mailOnce} */
export async function mailCheck(
  ports: MailPorts & { senderProfile: SenderProfile },
  { settings, pending, deadline, resend = false }: AlertMailRequest,
): Promise<MailAnswer> {
  const { merchantCode, recipients } = settings;
  const { check, day } = pending;
  const key = alertLedgerKey(merchantCode, check);
  return mailOnce(ports, {
    key,
    tags: { merchant: merchantCode, day, check },
    recipients,
    deadline,
    // Not the request's id: a repeated run has the same, and would take a dead run's ledger for its own.
    writer: randomUUID(),
    resend:
      resend && ((ledger) => lackingRecipients(ports, key, ledger, [...addressesOnce(recipients).keys()])),
    begin: (): Promise<MailBeginning> => {
      const skipped = recipients.length === 0 ? 'the merchant has no recipients' : null;
      const alerts = pending.lines.map(({ rule, says }) => ({ rule, says }));
      return Promise.resolve({ kind: 'alert', figures: null, alerts, ...keptOf(pending), skipped });
    },
    compose: async () => {
      // Loaded only when there is a mail to write.
      const { composeAlert } = await import('./compose-alert.ts');
      return composeAlert(settings, ports.senderProfile, pending, tickOf(check));
    },
    heldNotice: (held) => heldNotice(merchantCode, pending, held),
  });
}

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
