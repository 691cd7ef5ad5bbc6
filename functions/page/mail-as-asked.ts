import { tagsOfPage } from '#mail/mail-sender.ts';
import type { MailAnswer } from '#mail/once/mail-answer.ts';
import type { MailPorts } from '#mail/once/mail-once.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import { mailPreview } from '#mail/mail-preview.ts';
import { newRunId } from '#runtime/clock.ts';
import type { Telemetry } from '#runtime/telemetry.ts';
import { mailPage } from './mail-page.ts';
import type { MailedPage, Resend } from './mailed-page.ts';

export interface AskedMail {
  send: boolean;
  to?: readonly string[] | undefined;
  resend: Resend;
}

export interface MailToMake {
  page: MailedPage;
  /** Then it has no ledger yet, or nearly never. */
  isNew: boolean;
  preview: () => Promise<ComposedMail>;
  /** Milliseconds UTC. */
  deadline: number;
}

/** Mails a page to its recipients, as a preview, or not at all. */
export async function mailAsAsked(
  ports: MailPorts & { telemetry: Pick<Telemetry, 'count'> },
  asked: AskedMail,
  toMake: MailToMake,
): Promise<MailAnswer> {
  const mail = await mailed(ports, asked, toMake);
  if (mail.status === 'sent') ports.telemetry.count('MailsSent', mail.messageIds.length);
  if (mail.status === 'held') ports.telemetry.count('MailsHeld', 1);
  return mail;
}

async function mailed(
  ports: MailPorts,
  { send, to, resend }: AskedMail,
  { page, isNew, preview, deadline }: MailToMake,
): Promise<MailAnswer> {
  if (to === undefined) {
    return mailPage(ports, { page, isNew, send, resend, writer: newRunId(ports.clock.now()), deadline });
  }
  // A preview does not use ledgers. With `send: false` it does nothing.
  if (!send) return { status: 'skipped', reason: 'not asked for', messageIds: [] };
  const tags = tagsOfPage({ ...page.id, revision: page.revision });
  return mailPreview(ports, { composed: await preview(), to, tags, deadline });
}
