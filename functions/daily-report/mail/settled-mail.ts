import type { CheckRecord, StandingCheck } from '#domain/revision/check-record.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { MailAnswer } from '#mailing/once/mail-answer.ts';
import type { DailyReportEvent } from '../daily-report-event.ts';

/**
 * What the record of a pull says of the mail, after this run has mailed.
 *
 * @param mail `undefined` when mailing failed
 * @returns `null` when something may be left to do
 */
export function settledMail(
  { send, to }: Pick<DailyReportEvent, 'send' | 'to'>,
  mail: MailAnswer | undefined,
): CheckRecord['mail'] {
  // A preview, and a run that is not to send, do not look at what another run has left open.
  if (!send || to !== undefined) return null;
  switch (mail?.status) {
    case 'sent':
    case 'already-sent':
      return 'sent';
    case 'skipped':
      return 'skipped';
    case 'held':
    case 'preview':
    case undefined:
      return null;
  }
}

/**
 * The answer about the mail of a revision for which nothing is left to do, by the record of an earlier pull.
 * `undefined` when it has to be looked at. A person's run always looks.
 */
export function mailSettledBefore(
  { event }: { event: Pick<DailyReportEvent, 'scheduledTime' | 'send' | 'to'> },
  { manifest, check }: { manifest: Manifest; check?: StandingCheck | undefined },
): { record: 'sent' | 'skipped'; answer: MailAnswer } | undefined {
  const record = check?.record;
  const isAsUsual = event.scheduledTime !== undefined && event.send && event.to === undefined;
  if (!isAsUsual || record?.revision !== manifest.revision || record.mail === null) return undefined;
  const answer: MailAnswer =
    record.mail === 'sent'
      ? { status: 'already-sent', messageIds: [] }
      : { status: 'skipped', reason: 'this revision had nothing to send', messageIds: [] };
  return { record: record.mail, answer };
}
