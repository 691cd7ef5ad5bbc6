import { dayAt } from '#domain/day/business-day.ts';
import { addressHash } from '#domain/storage/keys.ts';
import { presentRound, withUnsettledHeld } from '#domain/ledger/ledger-progress.ts';
import {
  hadNothingToSend,
  isReceived,
  settledStatus,
  wasReceivedBefore,
} from '#domain/ledger/ledger-standing.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import type { CheckRecord } from '#domain/revision/check-record.ts';
import type { ExpectedReport } from './expected-reports.ts';

/** What is stored of a merchant's day. */
export interface DayRecords {
  check: CheckRecord | undefined;
  /** The newest revision; `asOf` (ISO 8601, UTC) is when its figures were last known to be the service's. */
  sealed: { balanced: boolean; asOf: string } | undefined;
  /** The newest revision that was to be mailed tells of the mail; `undefined` where a ledger is missing. */
  ledger: Ledger | undefined;
}

/** What became of an expected report; `missing` is the likely reason, `null` for one that was received. */
export interface Delivery {
  merchantCode: string;
  day: string;
  isDue: boolean;
  missing: string | null;
  unbalanced: boolean;
  held: boolean;
}

/** Whether the day had ended at that time (ISO 8601). */
function isAfterDay(time: string, { day, timeZone }: ExpectedReport): boolean {
  return dayAt(Date.parse(time), timeZone) > day;
}

/** An error's name as the product has them; whatever else stands there is no text for people's notices. */
const ERROR_NAME = /^[A-Za-z][A-Za-z0-9_.]{0,63}$/;

/** Why no whole day is sealed. */
function reasonOfNoDay(report: ExpectedReport, check: CheckRecord | undefined): string {
  const { entry } = report;
  if (entry === 'gone') return 'not in the registry any more';
  if (entry === 'not usable') return 'entry not usable';
  // What failed while the day still ran is not why it was not pulled afterwards.
  if (check?.outcome !== 'failed' || !isAfterDay(check.checkedAt, report)) return 'no run';
  const error = check.error ?? '';
  return `pull failed: ${ERROR_NAME.test(error) ? error : 'UnknownError'}`;
}

/** Whether nobody of the entry's recipients was forgotten by a writer that did not finish. */
function hasEveryone(ledger: Ledger, { entry, recipients }: ExpectedReport): boolean {
  const written = new Set(presentRound(ledger).map(({ to }) => to));
  return entry === 'usable' && recipients.every((address) => written.has(addressHash(address)));
}

/** Why mail to everyone is skipped: the words of the stops. */
function reasonOfStops(ledger: Ledger): string {
  const reasons = presentRound(ledger).map(({ reason }) => reason ?? '');
  if (reasons.some((reason) => /complain/.test(reason))) return 'complained';
  if (reasons.some((reason) => /bounce/.test(reason))) return 'bounced';
  // A stop in a person's own words; otherwise nobody who was refused is a recipient any more.
  return reasons.some((reason) => /is stopped/.test(reason)) ? 'mail stopped' : 'mail not sent';
}

/** Why the mail did not arrive, `null` where it did or was never to go out. */
function reasonOfMail(ledger: Ledger | undefined, report: ExpectedReport, now: number): string | null {
  if (ledger === undefined) return 'mail not sent';
  // A `resend` takes nothing back, neither while it is under way nor by what it comes to.
  if (wasReceivedBefore(ledger)) return null;
  const isUnfinished = ledger.status === 'intended';
  // A writer that is still at work at this hour, and one that left recipients out, both have mail left to send.
  if (isUnfinished && (now < Date.parse(ledger.until) || !hasEveryone(ledger, report)))
    return 'mail not sent';
  const status = isUnfinished ? settledStatus(withUnsettledHeld(ledger, ledger.until)) : ledger.status;
  if (isReceived(status)) return null;
  // An empty day, or one that was not to be mailed: that a `resend` of it did not arrive makes it no worse.
  if (hadNothingToSend(ledger)) return null;
  switch (status) {
    case 'skipped':
      return reasonOfStops(ledger);
    case 'held':
      return 'mail held';
    case 'bounced':
    case 'complained':
      return status;
    case 'failed':
    case 'intended':
      return 'mail not sent';
  }
}

/**
 * What became of a report: received is one of a whole day, balanced, whose mail was accepted or delivered. Of several
 * reasons the first on the data's way counts, but a mail that nobody has weighs more than figures that differ.
 *
 * @param now milliseconds UTC
 */
export function deliveryOf(report: ExpectedReport, records: DayRecords, now: number): Delivery {
  const { merchantCode, day, isDue } = report;
  const { check, sealed, ledger } = records;
  // A page that was sealed while the day still ran is not the day's.
  if (sealed === undefined || !isAfterDay(sealed.asOf, report)) {
    const missing = reasonOfNoDay(report, check);
    return { merchantCode, day, isDue, missing, unbalanced: false, held: false };
  }
  const mail = reasonOfMail(ledger, report, now);
  return {
    merchantCode,
    day,
    isDue,
    missing: mail ?? (sealed.balanced ? null : 'unbalanced'),
    unbalanced: !sealed.balanced,
    held: mail === 'mail held',
  };
}
