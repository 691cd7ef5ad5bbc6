import type { StoredObjectError } from '#aws/s3-objects.ts';
import { alertLedgerKey } from '#domain/storage/keys.ts';
import { NEVER_BEGUN, WRITER_GONE } from '#domain/ledger/ledger-close.ts';
import { presentRound } from '#domain/ledger/ledger-progress.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';

/** How those get their mail who certainly have none. */
const HOW_TO_GO_ON = {
  report:
    'Invoke daily-report for it again with the "scheduledTime" of its manifest, and it writes to those only. Without, it pulls anew: a new revision of the same figures is mailed to nobody, and "resend" writes to everybody.',
  alert: 'Invoke alert-check for it again, and it writes to those only.',
};

/** What ops are told of one mail, once under the name `about`. */
export interface SweepNotice {
  about: string;
  subject: string;
  text: string;
  /** The object that says what became of the mail. */
  key: string;
}

const WHAT = { report: 'report', correction: 'correction', alert: 'alert mail' } as const;

function count(ledger: Ledger, matches: (entry: Ledger['recipients'][number]) => boolean): number {
  return presentRound(ledger).filter(matches).length;
}

/**
 * What ops are told, once a round, of recipients of whom it is not known whether they have the mail, and of those who
 * certainly have not because the run died before. Under the names by which runs tell of the same.
 */
export function unfinishedNotices(key: string, merchantCode: string, ledger: Ledger): SweepNotice[] {
  const found: SweepNotice[] = [];
  const { kind, round, status, reason: closedBecause } = ledger;
  // A `resend` that died before it wrote to anybody, of a mail that was received before.
  const isOpen = presentRound(ledger).length === 0 && closedBecause === WRITER_GONE;
  const held = count(ledger, (entry) => entry.status === 'held');
  const unwritten = count(ledger, ({ status: of, reason }) => of === 'failed' && reason === NEVER_BEGUN);
  if (held > 0 || status === 'held' || isOpen) {
    const others = presentRound(ledger).length === 0 ? 'anybody' : 'anybody else';
    const whom = held > 0 ? `${held} of its recipients` : others;
    found.push({
      key,
      about: `mail held: ${key}, round ${round}`,
      subject: `Merchant ${merchantCode}: ${WHAT[kind]} held`,
      text: [
        `A run died while it sent a ${WHAT[kind]} of merchant ${merchantCode}. It is not known whether the mail reached ${whom}, so it is not sent again by itself.`,
        `Look at ${key}. If it did not arrive, send it again: "resend" for a report; an alert mail cannot be sent again.`,
      ].join('\n'),
    });
  }
  if (unwritten > 0) {
    found.push({
      key,
      about: `mail unfinished: ${key}, round ${round}`,
      subject: `Merchant ${merchantCode}: ${WHAT[kind]} not sent to everybody`,
      text: [
        `A run died before it had written to ${unwritten} recipients of merchant ${merchantCode}. They certainly have no mail.`,
        `${HOW_TO_GO_ON[kind === 'alert' ? 'alert' : 'report']} The ledger is ${key}.`,
      ].join('\n'),
    });
  }
  return found;
}

/** Of an alert mail that a check owes and that no later check has seen to. */
export function unsentNotice(merchantCode: string, check: string): SweepNotice {
  const key = alertLedgerKey(merchantCode, check);
  return {
    key,
    about: `mail owed: ${key}`,
    subject: `Merchant ${merchantCode}: alert mail not sent`,
    text: [
      `A check of merchant ${merchantCode} died before it could send its mail (${check}), and no check has come since. Nobody was written to.`,
      'The next check sends it. If the merchant has no rules any more, invoke alert-check for it by hand.',
    ].join('\n'),
  };
}

/** Of an object of mail that is not what Daybook keeps there: what became of that mail is not known. */
export function spoiltNotice({ key, message }: StoredObjectError): SweepNotice {
  return {
    key,
    about: `mail not readable: ${key}`,
    subject: 'What is kept of a mail cannot be read',
    text: [
      `${message}. Whether a run died over that mail is not known.`,
      'Restore an earlier version of the object; they are kept for a day.',
    ].join('\n'),
  };
}
