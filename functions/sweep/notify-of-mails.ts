import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { OpsNotToldError } from '#domain/errors/ops-not-told-error.ts';
import type { SweepRun } from './dependencies.ts';
import type { SweepNotice } from './sweep-notices.ts';

/**
 * More notices than this in one sweep are sent as one. Thousands of mails at once would delay merchants'
 * reports in SES.
 */
const MOST_SINGLE = 20;
/** The most mails that one notice lists. With the longest codes they still fit into a notice. */
const MOST_LISTED = 50;
const CONCURRENCY = 40;

type NotifyPorts = Pick<SweepRun, 'opsNotices' | 'failures'>;

/** Notifies ops once. If no way to ops works, that is a failure of the sweep. */
async function notify(
  { opsNotices, failures }: NotifyPorts,
  notice: Omit<SweepNotice, 'key'>,
): Promise<boolean> {
  if (await opsNotices.notifyOnce(notice.about, notice.subject, notice.text)) return true;
  failures.add(new OpsNotToldError(`ops could not be notified of: ${notice.about}`));
  return false;
}

/** One notice for all of them. The same mails give the same `about`, in any order. */
function crowdNotice(news: readonly SweepNotice[]): Omit<SweepNotice, 'key'> {
  const lines = news.map(({ subject, key }) => `${subject}: ${key}`).sort();
  const listed = lines.slice(0, MOST_LISTED);
  const more = lines.length - listed.length;
  if (more > 0)
    listed.push(`… and ${more} more. delivery-watch names the merchants whose reports are missing.`);
  const names = news.map(({ about }) => about).sort();
  const hash = createHash('sha256').update(names.join('\n')).digest('hex');
  return {
    about: `mails of dead runs: ${hash}`,
    subject: `${news.length} mails of runs that died need a look`,
    text: [
      'Many runs died while they sent mails, or could not notify you. Each line names one mail and the object that records what became of it.',
      'held: it is not known whether it arrived. If it did not, send it again: "resend" for a report; an alert mail cannot be sent again.',
      'not sent: invoke daily-report (or alert-check) for the merchant again.',
      '',
      ...listed,
    ].join('\n'),
  };
}

/**
 * Notifies ops once of each mail that a sweep found: one notice each when they are few, one notice for all
 * when they are many. If the sweep dies or no notice can be sent, the next sweep finds the same mails again.
 */
export async function notifyOfMails(ports: NotifyPorts, found: readonly SweepNotice[]): Promise<void> {
  const { opsNotices } = ports;
  const limit = pLimit(CONCURRENCY);
  const known = await limit.map(found, ({ about }) => opsNotices.wasNotified(about));
  const news = found.filter((_, index) => known[index] !== true);
  if (news.length <= MOST_SINGLE) {
    await Promise.all(news.map((notice) => notify(ports, notice)));
    return;
  }
  if (await notify(ports, crowdNotice(news)))
    await limit.map(news, ({ about }) => opsNotices.noteNotified(about));
}
