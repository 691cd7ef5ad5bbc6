import type { Manifest } from '#domain/revision/manifest.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { MailAnswer } from '#mailing/once/mail-answer.ts';
import type { DailyReportEvent } from '../daily-report-event.ts';
import type { Dependencies } from '../dependencies.ts';
import { mailPreview } from './mail-preview.ts';
import { mailRevision } from './mail-revision.ts';
import { newPullId } from '../pull/pull-id.ts';

/** A sealed revision, and what the event says about its mail. */
export interface AskedMail {
  event: Pick<DailyReportEvent, 'to' | 'send' | 'resend'>;
  settings: MerchantSettings;
  manifest: Manifest;
  /** The last mail must be sent by this time. Milliseconds UTC. */
  deadline: number;
}

/** Mails a revision to the merchant's recipients, or as a preview, or not at all, as the event says. */
export async function mailAsAsked(dependencies: Dependencies, asked: AskedMail): Promise<MailAnswer> {
  const { telemetry } = dependencies;
  const mail = await mailed(dependencies, asked);
  if (mail.status === 'sent') telemetry.count('MailsSent', mail.messageIds.length);
  if (mail.status === 'held') telemetry.count('MailsHeld', 1);
  return mail;
}

async function mailed(dependencies: Dependencies, asked: AskedMail): Promise<MailAnswer> {
  const { event, settings, manifest, deadline } = asked;
  const { to, send, resend } = event;
  if (to === undefined) {
    const writer = newPullId(dependencies.clock.now());
    return mailRevision(dependencies, { settings, manifest, send, resend, writer, deadline });
  }
  // A preview does not use ledgers. With `send: false` it does nothing.
  if (!send) return { status: 'skipped', reason: 'not asked for', messageIds: [] };
  return mailPreview(dependencies, settings, manifest, to, deadline);
}
