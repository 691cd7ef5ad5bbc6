import type { StoredObjectError } from '#runtime/s3-objects.ts';
import {
  alertLedgerKey,
  alertStateKey,
  ownerInWords,
  isMerchantDay,
  merchantInKey,
  pageInLedgerKey,
} from '#records/storage/keys.ts';
import { NEVER_BEGUN, WRITER_GONE, presentRound, presentEntries } from '#records/ledger/ledger-rounds.ts';
import type { Ledger, LedgerEntry } from '#records/ledger/ledger.ts';
import type { NoticeCommand, OpsNotice } from '#mail/notices/ops-notice.ts';
import { sendAgain } from '#mail/notices/ops-notice.ts';
import type { PageId, PageOwner } from '#records/storage/keys.ts';
import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { OpsNotToldError } from '#records/errors/daybook-error.ts';
import type { SweepRun } from './dependencies.ts';

export interface MailSubject {
  owner: PageOwner;
  page?: PageId | undefined;
}

export function subjectInKey(key: string): MailSubject | undefined {
  const page = pageInLedgerKey(key);
  if (page !== undefined) return { owner: page.owner, page };
  const merchantCode = merchantInKey(key);
  return merchantCode === undefined ? undefined : { owner: { merchantCode } };
}

function once(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))].sort();
}

export function namedInHead(
  subjects: readonly MailSubject[],
): Pick<OpsNotice, 'merchants' | 'groups' | 'days' | 'periods'> {
  const pages = subjects.flatMap(({ page }) => page ?? []);
  return {
    merchants: once(subjects.map(({ owner }) => owner.merchantCode)),
    groups: once(subjects.map(({ owner }) => owner.group)),
    days: once(pages.filter(isMerchantDay).map(({ period }) => period)),
    periods: once(pages.filter((page) => !isMerchantDay(page)).map(({ period }) => period)),
  };
}

const HOW_TO_GO_ON = {
  report: 'Send it with the last command. It goes to those recipients only who do not have the mail.',
  alert: 'Invoke alert-check for it again, and it writes to those only.',
};

const HELD_TOO =
  'For other recipients the mail is held. Read the notice about them first: the last command writes to them, too.';

/** Sent once under the name `notice.about`. */
export interface SweepNotice {
  notice: OpsNotice;
  /** One line, for a notice about many mails. */
  inShort: string;
  key: string;
}

const WHAT = {
  report: 'report',
  correction: 'correction',
  alert: 'alert mail',
  statement: 'statement',
  group: 'page',
} as const;

function byRound(ledger: Ledger, matches: (entry: LedgerEntry) => boolean): Map<number, LedgerEntry[]> {
  return Map.groupBy(presentEntries(ledger).filter(matches), ({ round }) => round);
}

function aboutMail(
  key: string,
  subject: MailSubject,
  notice: Omit<OpsNotice, 'merchants' | 'groups' | 'days' | 'periods'>,
): SweepNotice {
  return {
    key,
    inShort: `${capitalized(ownerInWords(subject.owner))}: ${notice.happened}`,
    notice: { ...notice, ...namedInHead([subject]) },
  };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function ledgerCommand(key: string): NoticeCommand {
  return { shows: 'The ledger of the mail', does: 'show object', key };
}

/** @param key of its ledger, which has the name of the check */
function sendAlertAgain(key: string, { owner }: MailSubject): NoticeCommand {
  const check = key.slice(key.lastIndexOf('/') + 1, -'.json'.length);
  return {
    shows: 'Sends the mail again, to the recipients who do not have it',
    does: 'daybook',
    words: ['alerts', 'resend', ...(owner.merchantCode === undefined ? [] : [owner.merchantCode, check])],
  };
}

function afterHeld(key: string, subject: MailSubject): Pick<OpsNotice, 'toDo' | 'commands'> {
  const look = 'Read the ledger. If no entry of its present round is "held" any more, you need do nothing.';
  const ask = 'Otherwise look for the mail in the log of SES, or ask the recipient whether it arrived.';
  const again = subject.page === undefined ? sendAlertAgain(key, subject) : sendAgain(subject.page);
  return {
    toDo: [
      look,
      ask,
      'If it did not arrive, send it again with the last command. It goes to those recipients only who do not have the mail.',
    ],
    commands: [ledgerCommand(key), again],
  };
}

function afterUnwritten(key: string, { owner, page }: MailSubject): NoticeCommand[] {
  const { merchantCode } = owner;
  const checkAgain: NoticeCommand = {
    shows: 'Checks again, and sends the mail to those',
    does: 'invoke',
    functionName: 'alert-check',
    event: { merchantCode },
  };
  return [ledgerCommand(key), page === undefined ? checkAgain : sendAgain(page)];
}

/**
 * Notices about a ledger, each once a round: recipients who may or may not have the mail, and who certainly
 * have none. A run uses the same names for its own notices, so ops are not notified twice.
 */
export function unfinishedNotices(key: string, subject: MailSubject, ledger: Ledger): SweepNotice[] {
  const { kind, round, status, reason: closedBecause } = ledger;
  const whose = ownerInWords(subject.owner);
  // A `resend` that died before it wrote to anybody. The mail itself was received before.
  const isOpen = presentRound(ledger).length === 0 && closedBecause === WRITER_GONE;
  const held = byRound(ledger, (entry) => entry.status === 'held');
  if (held.size === 0 && (status === 'held' || isOpen)) held.set(round, []);
  const unwritten = byRound(ledger, ({ status: of, reason }) => of === 'failed' && reason === NEVER_BEGUN);
  const others = presentRound(ledger).length === 0 ? 'anybody' : 'anybody else';
  return [
    ...[...held].map(([of, { length }]) =>
      aboutMail(key, subject, {
        about: `mail held: ${key}, round ${of}`,
        happened: `${WHAT[kind]} held`,
        meaning: [
          `A run died while it sent a ${WHAT[kind]} of ${whose}. It is not known whether the mail reached ${length > 0 ? `${length} of its recipients` : others}.`,
        ],
        tried: [
          'The sweep closed the ledger. Daybook does not send the mail again by itself, because a recipient could then get it twice.',
        ],
        headings: ['mailHeld'],
        ...afterHeld(key, subject),
      }),
    ),
    ...[...unwritten].map(([of, { length }]) =>
      aboutMail(key, subject, {
        about: `mail unfinished: ${key}, round ${of}`,
        happened: `${WHAT[kind]} not sent to everybody`,
        meaning: [
          `A run died before it had written to ${length} recipients of ${whose}. They certainly have no mail.`,
        ],
        tried: [
          'The sweep closed the ledger, so that another run can write to them. It sends no mail itself.',
        ],
        toDo: [
          ...(held.size > 0 && kind !== 'alert' ? [HELD_TOO] : []),
          HOW_TO_GO_ON[kind === 'alert' ? 'alert' : 'report'],
        ],
        headings: ['mailNotSent'],
        commands: afterUnwritten(key, subject),
      }),
    ),
  ];
}

/** A pending alert mail that no later check has sent. @param day of the check */
export function unsentNotice(merchantCode: string, check: string, day: string): SweepNotice {
  const key = alertLedgerKey(merchantCode, check);
  const happened = 'alert mail not sent';
  return {
    key,
    inShort: `Merchant ${merchantCode}: ${happened}`,
    notice: {
      about: `mail owed: ${key}`,
      merchants: [merchantCode],
      days: [day],
      happened,
      meaning: [
        `A check of merchant ${merchantCode} died before it could send its mail (${check}), and no check has run since. No mail was sent.`,
      ],
      tried: ['The mail is kept in the states of the rules. The next check sends it.'],
      toDo: [
        'If the merchant has no rules any more, no check follows: invoke alert-check with the last command.',
      ],
      headings: ['mailNotSent'],
      commands: [
        {
          shows: 'The states of the rules, with the mail under "owed"',
          does: 'show object',
          key: alertStateKey(merchantCode),
        },
        {
          shows: 'Checks the rules, and sends that mail',
          does: 'invoke',
          functionName: 'alert-check',
          event: { merchantCode },
        },
      ],
    },
  };
}

export function spoiltNotice({ key, message }: StoredObjectError): SweepNotice {
  const subject = subjectInKey(key);
  const happened = 'the record of a mail cannot be read';
  return {
    key,
    inShort: 'The record of a mail cannot be read',
    notice: {
      about: `mail not readable: ${key}`,
      ...namedInHead(subject === undefined ? [] : [subject]),
      happened,
      meaning: [`${message}.`, 'It is not known whether a run died while it sent that mail.'],
      tried: ['The sweep left the object as it is, and swept everything else.'],
      toDo: [
        'Restore an earlier version of the object. Earlier versions are kept for a day.',
        'Find out who wrote the object. Only functions of Daybook may write it.',
      ],
      headings: ['recordNotReadable'],
      errors: ['StoredObjectError'],
      commands: [{ shows: 'The object as it is now', does: 'show object', key }],
    },
  };
}

/** Beyond so many, one notice for all: thousands of mails would delay merchants' reports in SES. */
const MOST_SINGLE = 20;
/** With the longest codes they still fit into a notice. */
const MOST_LISTED = 50;
const CONCURRENCY = 40;

type NotifyPorts = Pick<SweepRun, 'opsNotices' | 'failures'>;

async function notify({ opsNotices, failures }: NotifyPorts, notice: OpsNotice): Promise<boolean> {
  if (await opsNotices.notifyOnce(notice)) return true;
  failures.add(new OpsNotToldError(`ops could not be notified of: ${notice.about}`));
  return false;
}

/** The same mails give the same `about`, in any order. */
function crowdNotice(news: readonly SweepNotice[]): OpsNotice {
  const lines = news.map(({ inShort, key }) => `${inShort}: ${key}`).sort();
  const names = news.map(({ notice }) => notice.about).sort();
  const hash = createHash('sha256').update(names.join('\n')).digest('hex');
  const keys = news.map(({ key }) => key).sort();
  const [first] = keys;
  return {
    about: `mails of dead runs: ${hash}`,
    ...namedInHead(keys.flatMap((key) => subjectInKey(key) ?? [])),
    happened: `${news.length} mails of runs that died need a look`,
    meaning: [
      'Many runs died while they sent mails, or could not notify you.',
      'held: it is not known whether the mail arrived. not sent: it certainly did not arrive.',
    ],
    tried: ['The sweep closed their ledgers. Daybook sends none of the held mails again by itself.'],
    toDo: [
      'Find the common cause first: look at what was put aside ("daybook redrive"), and at the log of daily-report, statement and alert-check.',
      'held: ask a recipient. If the mail did not arrive, send it again: of a report or a statement with --resend --failed, of an alert with alerts resend.',
      'not sent: do the same for a report or a statement. For an alert mail, invoke alert-check for the merchant.',
    ],
    headings: ['mailHeld', 'mailNotSent'],
    commands: [
      ...(first === undefined
        ? []
        : [{ shows: 'The first of these objects', does: 'show object', key: first } as const]),
      {
        shows: 'The reports that are missing now',
        does: 'daybook',
        words: ['status'],
      },
    ],
    list: {
      heading: 'The mails, and the objects that record what became of them',
      lines: lines.slice(0, MOST_LISTED),
      total: lines.length,
      others: 'delivery-watch names the merchants whose reports are missing',
    },
  };
}

/** Notifies ops once of each mail. If the sweep dies or no notice can be sent, the next one finds them again. */
export async function notifyOfMails(ports: NotifyPorts, found: readonly SweepNotice[]): Promise<void> {
  const { opsNotices } = ports;
  const limit = pLimit(CONCURRENCY);
  const known = await limit.map(found, ({ notice }) => opsNotices.wasNotified(notice.about));
  const news = found.filter((_, index) => known[index] !== true);
  if (news.length <= MOST_SINGLE) {
    await Promise.all(news.map(({ notice }) => notify(ports, notice)));
    return;
  }
  if (await notify(ports, crowdNotice(news)))
    await limit.map(news, ({ notice }) => opsNotices.noteNotified(notice.about));
}
