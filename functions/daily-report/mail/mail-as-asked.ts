import type { Manifest } from '#domain/revision/manifest.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { MailAnswer } from '#mailing/once/mail-answer.ts';
import type { DailyReportEvent } from '../daily-report-event.ts';
import type { Dependencies } from '../dependencies.ts';
import { pageSettings } from '#domain/revision/page-settings.ts';
import { mailPage } from '#mailing/pages/mail-page.ts';
import { mailPreview } from '#mailing/preview/mail-preview.ts';
import { dayPage } from './day-page.ts';
import { newRunId } from '#runtime/run-id.ts';

/** A sealed revision, and what the event says about its mail. */
export interface AskedMail {
  event: Pick<DailyReportEvent, 'to' | 'send' | 'resend'>;
  settings: MerchantSettings;
  manifest: Manifest;
  /** Whether this run has just sealed it. */
  isNew: boolean;
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
  const { event, settings, manifest, isNew, deadline } = asked;
  const { to, send, resend } = event;
  if (to === undefined) {
    const writer = newRunId(dependencies.clock.now());
    const page = dayPage(dependencies, settings, manifest, send);
    return mailPage(dependencies, { page, isNew, send, resend, writer, deadline });
  }
  // A preview does not use ledgers. With `send: false` it does nothing.
  if (!send) return { status: 'skipped', reason: 'not asked for', messageIds: [] };
  const { composeReport } = await import('./composers.ts');
  const { senderProfile, snapshots } = dependencies;
  const composed = await composeReport(pageSettings(manifest, settings), senderProfile, snapshots, {
    manifest,
    preview: true,
  });
  const { merchantCode, day, revision } = manifest;
  const tags = { merchant: merchantCode, day, revision: revision.toString() };
  return mailPreview(dependencies, { composed, to, tags, deadline });
}
