import type { UnnamedNotice } from '#domain/notices/ops-notice.ts';
import { statementLedgerKey } from '#domain/storage/statement-keys.ts';
import type { StatementPlace } from '#domain/storage/statement-keys.ts';

/** The notice to ops about a statement's mail that may or may not have arrived. */
export function heldNotice(place: StatementPlace, recipients: number): UnnamedNotice {
  const { owner, period, revision } = place;
  const isMerchant = owner.merchantCode !== undefined;
  const what = isMerchant ? 'a statement' : "a group's page";
  const named = isMerchant ? [owner.merchantCode] : ['--group', owner.group];
  return {
    merchants: isMerchant ? [owner.merchantCode] : [],
    days: [],
    happened: `mail of ${what} is held`,
    meaning: [
      `It is not known whether the mail of revision ${revision} of ${period} reached ${recipients} of its recipients.`,
      'The connection to SES broke after the mail was handed over, or the run died at that moment.',
    ],
    tried: [
      'Daybook does not send the mail again by itself, because a recipient could then get it twice.',
      'Events of SES settle most held mails within minutes, if a configuration set is used.',
    ],
    toDo: [
      'Read the ledger. If no recipient is "held" any more, you need do nothing.',
      'Otherwise look for the mail in the log of SES, or ask the recipient whether it arrived.',
      'If it did not arrive, send it again with the last command. It goes to those recipients only who do not have the mail.',
    ],
    headings: ['mailHeld'],
    commands: [
      { shows: 'The ledger of the mail', does: 'show object', key: statementLedgerKey(place) },
      {
        shows: 'Sends the newest revision again, to the recipients who do not have it',
        does: 'daybook',
        words: ['statement', ...named, '--period', period, '--resend', '--failed'],
      },
    ],
  };
}
