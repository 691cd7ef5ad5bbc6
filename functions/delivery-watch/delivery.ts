import { dayAt } from '#domain/day/business-day.ts';
import { addressHash } from '#domain/storage/keys.ts';
import { presentRound, withUnsettledHeld } from '#domain/ledger/ledger-progress.ts';
import { audienceOf, presentEntries } from '#domain/ledger/ledger-rounds.ts';
import {
  hadNothingToSend,
  isReceived,
  receivedBefore,
  settledStatus,
  standingEntries,
} from '#domain/ledger/ledger-standing.ts';
import type { Ledger, RecipientStatus } from '#domain/ledger/ledger.ts';
import type { CheckRecord } from '#domain/revision/check-record.ts';
import type { ExpectedReport } from './expected-reports.ts';

/** What is stored of a merchant's day. */
export interface DayRecords {
  check: CheckRecord | undefined;
  /**
   * The newest revision. `asOf` (ISO 8601, UTC): when its figures were last known to agree with the service.
   */
  sealed: { balanced: boolean; asOf: string } | undefined;
  /** The ledger of the newest revision that was to be mailed. `undefined` when a ledger is missing. */
  ledger: Ledger | undefined;
}

/** What became of an expected report. `missing` is the likely reason, `null` for a report that arrived. */
export interface Delivery {
  merchantCode: string;
  day: string;
  isDue: boolean;
  missing: string | null;
  /** `null` when no whole day is sealed, or nothing can be known of it. */
  mail: MailStanding | null;
  unbalanced: boolean;
  held: boolean;
}

/** Whether the day had ended at that time (ISO 8601). */
function isAfterDay(time: string, { day, timeZone }: ExpectedReport): boolean {
  return dayAt(Date.parse(time), timeZone) > day;
}

/** The form of an error's name. Other text must not get into notices. */
const ERROR_NAME = /^[A-Za-z][A-Za-z0-9_.]{0,63}$/;

/** Why no whole day is sealed. */
function reasonOfNoDay(report: ExpectedReport, check: CheckRecord | undefined): string {
  const { entry } = report;
  if (entry === 'gone') return 'not in the registry any more';
  if (entry === 'not usable') return 'entry not usable';
  // A failure while the day was still running does not explain why it was not pulled afterwards.
  if (check?.outcome !== 'failed' || !isAfterDay(check.checkedAt, report)) return 'no run';
  const error = check.error ?? '';
  return `pull failed: ${ERROR_NAME.test(error) ? error : 'UnknownError'}`;
}

/**
 * Whether the present round has all its recipients, or an earlier round reached them. A run that died may have left
 * some out.
 */
function hasEveryone(ledger: Ledger, { entry, recipients }: ExpectedReport): boolean {
  const reached = [...standingEntries(ledger).values()].filter(({ status }) => isReceived(status));
  const written = new Set([...presentRound(ledger), ...reached].map(({ to }) => to));
  const audience = audienceOf(ledger);
  if (audience !== null) return audience.isSubsetOf(written);
  return entry === 'usable' && recipients.every((address) => written.has(addressHash(address)));
}

/** Why mail to all recipients is skipped, from the reasons in the ledger. */
function reasonOfSuppressions(ledger: Ledger): string {
  const reasons = presentEntries(ledger).map(({ reason }) => reason ?? '');
  if (reasons.some((reason) => /complain/.test(reason))) return 'complained';
  if (reasons.some((reason) => /bounce/.test(reason))) return 'bounced';
  // The reason may be in a person's own words. Otherwise all recipients whose mail was refused have left the
  // list.
  return reasons.some((reason) => /is stopped/.test(reason)) ? 'mail stopped' : 'mail not sent';
}

/**
 * What became of the mail, over all its rounds. `unfinished`: a run still has to send it to somebody. `none`: it was not
 * to be sent.
 */
export type MailStanding = Exclude<RecipientStatus, 'intended'> | 'unfinished' | 'none';

/** @param now milliseconds UTC */
function mailStanding(ledger: Ledger | undefined, report: ExpectedReport, now: number): MailStanding {
  if (ledger === undefined) return 'unfinished';
  // A `resend` changes nothing about a mail that was received, neither while it runs nor by its result.
  const received = receivedBefore(ledger);
  if (received !== undefined) return received;
  // An empty day, or a day without mail. A `resend` does not make it worse, neither while it runs nor after.
  if (hadNothingToSend(ledger)) return isReceived(ledger.status) ? ledger.status : 'none';
  const isUnfinished = ledger.status === 'intended';
  if (isUnfinished && !hasEveryone(ledger, report)) return 'unfinished';
  const status = isUnfinished ? settledStatus(withUnsettledHeld(ledger, ledger.until)) : ledger.status;
  // This is also so while a run sends the mail again to somebody who has it.
  if (isReceived(status)) return status;
  if (isUnfinished && now < Date.parse(ledger.until)) return 'unfinished';
  return status === 'intended' ? 'unfinished' : status;
}

/** Why the mail did not arrive, `null` when it did or was never to be sent. */
function reasonOfMail(standing: MailStanding, ledger: Ledger | undefined): string | null {
  switch (standing) {
    case 'accepted':
    case 'delivered':
    case 'none':
      return null;
    case 'skipped':
      return ledger === undefined ? 'mail not sent' : reasonOfSuppressions(ledger);
    case 'held':
      return 'mail held';
    case 'bounced':
    case 'complained':
      return standing;
    case 'failed':
    case 'unfinished':
      return 'mail not sent';
  }
}

/** What became of a report whose records cannot be read. */
export function unreadableDelivery({ merchantCode, day, isDue }: ExpectedReport): Delivery {
  const missing = 'records not readable';
  return { merchantCode, day, isDue, missing, mail: null, unbalanced: false, held: false };
}

/**
 * What became of a report. A report counts as received when it is of a whole day, is balanced, and its mail
 * was accepted or delivered. Of several reasons the earliest step counts, but a mail that nobody has counts
 * more than figures that differ.
 *
 * @param now milliseconds UTC
 */
export function deliveryOf(report: ExpectedReport, records: DayRecords, now: number): Delivery {
  const { merchantCode, day, isDue } = report;
  const { check, sealed, ledger } = records;
  // A revision that was sealed while the day was still running is not the day's report.
  if (sealed === undefined || !isAfterDay(sealed.asOf, report)) {
    const missing = reasonOfNoDay(report, check);
    return { merchantCode, day, isDue, missing, mail: null, unbalanced: false, held: false };
  }
  const mail = mailStanding(ledger, report, now);
  return {
    merchantCode,
    day,
    isDue,
    missing: reasonOfMail(mail, ledger) ?? (sealed.balanced ? null : 'unbalanced'),
    mail,
    unbalanced: !sealed.balanced,
    held: mail === 'held',
  };
}
