import { randomUUID } from 'node:crypto';
import type { AlertLine, PendingAlertMail } from '#domain/alerts/alert-state.ts';
import { alertLedgerKey } from '#domain/storage/keys.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { SenderProfile } from '#mailing/message/sender-profile.ts';
import { mailOnce } from '#mailing/once/mail-once.ts';
import type { MailAnswer, MailBeginning, MailPorts } from '#mailing/once/mail-once.ts';

/** The merchant of a mail, and the end of the time. */
export interface AlertMailRequest {
  settings: MerchantSettings;
  pending: PendingAlertMail;
  /** When the function ends, milliseconds UTC. */
  deadline: number;
}

/** The rules and their changes, for a notice to ops: `too-many-unpaid: firing`. */
export function saidOf(lines: readonly AlertLine[]): string {
  return lines.map(({ rule, says }) => `${rule}: ${says}`).join('\n');
}

/**
 * Sends the mail of a check once to each recipient.
 *
 * @throws {MailRefusedError} see {@link mailOnce}
 * @throws {MailUnfinishedError} see {@link mailOnce}
 */
export async function mailCheck(
  ports: MailPorts & { senderProfile: SenderProfile },
  { settings, pending: pending, deadline }: AlertMailRequest,
): Promise<MailAnswer> {
  const { merchantCode, recipients } = settings;
  const { check, day, lines } = pending;
  const key = alertLedgerKey(merchantCode, check);
  return mailOnce(ports, {
    key,
    tags: { merchant: merchantCode, day, check },
    recipients,
    deadline,
    // Not the id of the request: a repeated execution has the same id, and would take a dead run's ledger for
    // its own.
    writer: randomUUID(),
    resend: false,
    begin: (): Promise<MailBeginning> => {
      const skipped = recipients.length === 0 ? 'the merchant has no recipients' : null;
      return Promise.resolve({ kind: 'alert', figures: null, skipped });
    },
    compose: async () => {
      // The code that renders and writes mails is loaded only when there is a mail to write.
      const { composeAlert } = await import('./compose-alert.ts');
      return composeAlert(settings, ports.senderProfile, pending);
    },
    heldNotice: (held) => ({
      subject: `Alert mail held for merchant ${merchantCode}`,
      text: [
        `It is not known whether the alert mail of check ${check} reached ${held} of its recipients, so it is not sent again by itself.`,
        `Look into the ledger ${key} and at the mail service's own log. If it did not arrive, tell the recipients what it said:`,
        saidOf(lines),
      ].join('\n'),
    }),
  });
}
