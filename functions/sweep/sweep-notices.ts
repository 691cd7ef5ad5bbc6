import type { StoredObjectError } from '#aws/s3-objects.ts';
import { alertLedgerKey } from '#domain/storage/keys.ts';
import { NEVER_BEGUN, WRITER_GONE } from '#domain/ledger/ledger-close.ts';
import { presentRound } from '#domain/ledger/ledger-progress.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';

/** How the recipients who certainly have no mail get it. */
const HOW_TO_GO_ON = {
  report:
    'Invoke daily-report for it again with the "scheduledTime" of its manifest, and it writes to those only. Without it, daily-report pulls again: a new revision with the same figures is mailed to nobody, and "resend" writes to everybody.',
  alert: 'Invoke alert-check for it again, and it writes to those only.',
};

/** A notice to ops about one mail, sent once under the name `about`. */
export interface SweepNotice {
  about: string;
  subject: string;
  text: string;
  /** The object that records what became of the mail. */
  key: string;
}

const WHAT = { report: 'report', correction: 'correction', alert: 'alert mail' } as const;

function count(ledger: Ledger, matches: (entry: Ledger['recipients'][number]) => boolean): number {
  return presentRound(ledger).filter(matches).length;
}

/**
 * The notices about a ledger, each sent once a round. One is about recipients who may or may not have the
 * mail. The other is about recipients who certainly have no mail because the run died first. A run uses the
 * same names for its own notices, so ops are not notified twice.
 */
export function unfinishedNotices(key: string, merchantCode: string, ledger: Ledger): SweepNotice[] {
  const found: SweepNotice[] = [];
  const { kind, round, status, reason: closedBecause } = ledger;
  // A `resend` that died before it wrote to anybody. The mail itself was received before.
  const isOpen = presentRound(ledger).length === 0 && closedBecause === WRITER_GONE;
  const held = count(ledger, (entry) => entry.status === 'held');
  const unwritten = count(ledger, ({ status: of, reason }) => of === 'failed' && reason === NEVER_BEGUN);
  if (held > 0 || status === 'held' || isOpen) {
    const others = presentRound(ledger).length === 0 ? 'anybody' : 'anybody else';
    const recipients = held > 0 ? `${held} of its recipients` : others;
    found.push({
      key,
      about: `mail held: ${key}, round ${round}`,
      subject: `Merchant ${merchantCode}: ${WHAT[kind]} held`,
      text: [
        `A run died while it sent a ${WHAT[kind]} of merchant ${merchantCode}. It is not known whether the mail reached ${recipients}, so it is not sent again by itself.`,
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

/** The notice about a pending alert mail that no later check has sent. */
export function unsentNotice(merchantCode: string, check: string): SweepNotice {
  const key = alertLedgerKey(merchantCode, check);
  return {
    key,
    about: `mail owed: ${key}`,
    subject: `Merchant ${merchantCode}: alert mail not sent`,
    text: [
      `A check of merchant ${merchantCode} died before it could send its mail (${check}), and no check has run since. No mail was sent.`,
      'The next check sends it. If the merchant has no rules any more, invoke alert-check for it by hand.',
    ].join('\n'),
  };
}

/** The notice about an object of mail that cannot be read. It is not known what became of that mail. */
export function spoiltNotice({ key, message }: StoredObjectError): SweepNotice {
  return {
    key,
    about: `mail not readable: ${key}`,
    subject: 'The record of a mail cannot be read',
    text: [
      `${message}. It is not known whether a run died while it sent that mail.`,
      'Restore an earlier version of the object. Earlier versions are kept for a day.',
    ].join('\n'),
  };
}
