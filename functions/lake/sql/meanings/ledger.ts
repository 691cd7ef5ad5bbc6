import type { Ledger } from '#mail/ledger/ledger.ts';
import type { Meaning } from '../columns.ts';

export const LEDGER_MEANINGS: Record<Exclude<keyof Ledger, 'says' | 'tells'>, Meaning> = {
  key: { meaning: "The ledger's own key." },
  status: {
    meaning:
      'One word for all recipients: intended, accepted, delivered, bounced, complained, failed, skipped or held. If all recipients of a round have the mail, it is accepted or delivered. If not, it is the most urgent status of a recipient in the newest round.',
  },
  kind: { meaning: 'report or correction.' },
  corrects: {
    meaning: 'For a correction: the revision whose mail it corrects. null for a report.',
  },
  figures: { meaning: 'What the mail told.', unit: 'JSON object' },
  alerts: { meaning: 'What an alert mail says about each rule; null for a report.' },
  intendedAt: { meaning: 'When a run first wanted to mail.', unit: 'ISO 8601, UTC' },
  until: { meaning: "When the writing run's time is over.", unit: 'ISO 8601, UTC' },
  writer: { meaning: 'The run that may write.' },
  round: { meaning: '1 for the mail of the revision; each resend begins the next.' },
  partial: {
    meaning:
      'The rounds that were for some recipients only, with the SHA-256 of their addresses, and of those who were no recipients any more (`former`); every other round was for all.',
  },
  reason: { meaning: 'Why there is no mail, where there is none.' },
  nothingToSend: {
    meaning:
      'Why the revision was not to be mailed by itself, whatever a resend did later; null where it was.',
  },
  recipients: {
    meaning:
      'What became of the mail, recipient by recipient and round by round; `to` is the SHA-256 of the address.',
  },
};

/** The same members of the ledger of a statement or of a group's page. */
export const STATEMENT_LEDGER_MEANINGS: Record<Exclude<keyof Ledger, 'says' | 'tells'>, Meaning> = {
  ...LEDGER_MEANINGS,
  kind: { meaning: "statement or correction; of a group's page: group." },
  corrects: { meaning: 'For a correction: the revision whose mail it corrects. null for any other mail.' },
  figures: { meaning: 'What the mail told; null for a group.', unit: 'JSON object' },
  alerts: { meaning: 'What an alert mail says about each rule; null here.' },
};
