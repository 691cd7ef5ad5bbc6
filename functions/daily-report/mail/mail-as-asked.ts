import type { Manifest } from '#domain/revision/manifest.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { MailAnswer } from '#mailing/once/mail-once.ts';
import type { DailyReportEvent } from '../daily-report-event.ts';
import type { Dependencies } from '../dependencies.ts';
import { mailPreview } from './mail-preview.ts';
import { mailRevision } from './mail-revision.ts';
import { newPullId } from '../pull/pull-id.ts';

/** A sealed revision, and what the event wants done about its mail. */
export interface AskedMail {
  event: Pick<DailyReportEvent, 'to' | 'send' | 'resend'>;
  settings: MerchantSettings;
  manifest: Manifest;
  /** When the last mail must have gone, milliseconds UTC. */
  deadline: number;
}

/** Mails a revision to the merchant's recipients, or as a preview, or not at all. */
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
  // A preview leaves ledgers alone, and so does one that is not to be sent.
  if (!send) return { status: 'skipped', reason: 'not asked for', messageIds: [] };
  return mailPreview(dependencies, settings, manifest, to, deadline);
}
