import { dayAt } from '#domain/day/business-day.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import type { CheckRecord } from '#domain/revision/check-record.ts';
import type { ExpectedReport } from './expected-reports.ts';
import { mailOutcome, reasonOfMail } from './mail-outcome.ts';
import type { MailOutcome } from './mail-outcome.ts';

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
  mail: MailOutcome | null;
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
  const mail = mailOutcome(ledger, report, now);
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
