import { ledgerKey } from '#domain/storage/keys.ts';
import type { UnnamedNotice } from '#domain/notices/ops-notice.ts';
import type { Manifest } from '#domain/revision/manifest.ts';

/** The notice to ops about a revision's mail that may or may not have arrived. */
export function heldNotice(
  { merchantCode, day }: Manifest,
  revision: number,
  recipients: number,
): UnnamedNotice {
  return {
    merchants: [merchantCode],
    days: [day],
    happened: 'mail of a report is held',
    meaning: [
      `It is not known whether the mail of revision ${revision} reached ${recipients} of its recipients.`,
      'The connection to SES broke after the mail was handed over, or the run died at that moment.',
    ],
    tried: [
      'Daybook does not send the mail again by itself, because a recipient could then get it twice.',
      'Events of SES settle most held mails within minutes, if a configuration set is used.',
    ],
    toDo: [
      'Run the first command. If no recipient is "held" any more, you need do nothing.',
      'Otherwise look for the mail in the log of SES, or ask the recipient whether it arrived.',
      'If it did not arrive, send the newest revision again with the last command. It goes to those recipients only who do not have the mail.',
    ],
    headings: ['mailHeld'],
    commands: [
      {
        shows: 'What became of the mail, for each recipient',
        does: 'daybook',
        words: ['why', merchantCode, day],
      },
      { shows: 'The ledger of the mail', does: 'show object', key: ledgerKey(day, merchantCode, revision) },
      {
        shows: 'Sends the newest revision again, to the recipients who do not have it',
        does: 'daybook',
        words: ['report', merchantCode, '--day', day, '--resend', '--failed'],
      },
    ],
  };
}
