import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { OpsNotToldError } from '#records/errors/daybook-error.ts';
import type { OpsNotice } from '#mail/notices/ops-notice.ts';
import type { SweepRun } from './dependencies.ts';
import { namedInHead, subjectInKey } from './sweep-notices.ts';
import type { SweepNotice } from './sweep-notices.ts';

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

/**
 * Notifies ops once of each mail. If the sweep dies or no notice can be sent, the next one finds them again.
 */
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
