import { randomUUID } from 'node:crypto';
import type { PendingAlertMail } from '../rules/alert-state.ts';
import type { AlertLine } from '#mail/ledger/alert-line.ts';
import type { Ledger } from '#mail/ledger/ledger.ts';
import { LARGEST_SAID } from '#records/storage/object-bounds.ts';
import { alertLedgerKey } from '#records/storage/keys.ts';
import type { NoticeList, UnnamedNotice } from '#mail/notices/ops-notice.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { SenderProfile } from '#mail/message/sender-profile.ts';
import { addressesOnce } from '#registry/mail-address.ts';
import { lackingRecipients } from '#mail/once/lacking-recipients.ts';
import { mailOnce } from '#mail/once/mail-once.ts';
import type { MailAnswer } from '#mail/once/mail-answer.ts';
import type { MailBeginning, MailPorts } from '#mail/once/mail-once.ts';

export interface AlertMailRequest {
  settings: MerchantSettings;
  pending: PendingAlertMail;
  /** Milliseconds UTC. */
  deadline: number;
  /** To the recipients who do not have it. */
  resend?: boolean;
}

/**
 * Without invoices and refunds, because ledgers stay for long, and nothing that takes the room of entries.
 */
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
    // Not the request's id: a repeated execution has the same, and would take a dead run's ledger for its
    // own.
    writer: randomUUID(),
    resend: resend && ((ledger) => lackingRecipients(ports, ledger, [...addressesOnce(recipients).keys()])),
    begin: (): Promise<MailBeginning> => {
      const skipped = recipients.length === 0 ? 'the merchant has no recipients' : null;
      const alerts = pending.lines.map(({ rule, says }) => ({ rule, says }));
      return Promise.resolve({ kind: 'alert', figures: null, alerts, ...keptOf(pending), skipped });
    },
    compose: async () => {
      // The code that renders and writes mails is loaded only when there is a mail to write.
      const { composeAlert } = await import('./compose-alert.ts');
      return composeAlert(settings, ports.senderProfile, pending);
    },
    heldNotice: (held) => heldNotice(merchantCode, pending, held),
  });
}
