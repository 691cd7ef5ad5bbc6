import { dayAt, type Day } from '#records/day/business-day.ts';
import {
  decisiveEntries,
  hadNothingToSend,
  isReceived,
  receivedBefore,
  settledStatus,
  presentRound,
  withUnsettledHeld,
  audienceOf,
  presentEntries,
} from '#records/ledger/ledger-rounds.ts';
import { isStoppedByReader, type Ledger, type RecipientStatus } from '#records/ledger/ledger.ts';
import type { CheckRecord } from '#records/revision/check-record.ts';
import { addressHash, isMerchantDay, type PageId } from '#records/storage/keys.ts';

export interface ExpectedPage extends PageId {
  from: Day;
  to: Day;
  timeZone: string;
  /** A day that is not due is looked at only when the event names it. */
  isDue: boolean;
  /** Deadline within the last day. Of older statements only what may still come counts. */
  isRecent: boolean;
  entry: 'usable' | 'not usable' | 'gone';
  /** Any text; `null` without a usable entry. */
  name: string | null;
  recipients: readonly string[];
  /** Codes of a group's merchants; `null` for a merchant's page. */
  members: readonly string[] | null;
}

export interface PageRecords {
  /** Of a whole day or not; `undefined` when nothing is sealed. */
  revision: number | undefined;
  /** Balances, or is final; `undefined` when unknown. */
  isGood: boolean | undefined;
  /** Of the newest revision that was to be mailed; `undefined` when one is missing. */
  ledger: Ledger | undefined;
  /** Of a merchant's day: figures last agreed with the service (ISO 8601, UTC). */
  asOf?: string | undefined;
  /** Of a merchant's day: the record of its last pull. */
  check?: CheckRecord | undefined;
  /** Of any other page: a sealed day, or a page of a group's merchant. */
  hasParts: boolean;
}

/** Over all rounds. `unfinished`: still to be sent by a run. `none`: not to be sent. `stopped by readers`: by all. */
export type MailOutcome = Exclude<RecipientStatus, 'intended'> | 'unfinished' | 'none' | 'stopped by readers';

export interface Delivery extends PageId {
  revision: number | undefined;
  isDue: boolean;
  /** `null` for a page that arrived. */
  missing: string | null;
  /** `null` when no whole page is sealed, or nothing is known. */
  mail: MailOutcome | null;
  /** `false` when not balanced, or provisional. */
  isGood: boolean;
  /** In answer and metrics. A day after its deadline only what a run can still bring: of the rest ops were notified. */
  counts: boolean;
}

/** No day, or no page of a group's merchants. Ops are notified of it once. */
export const NOTHING_SEALED = 'nothing sealed';
/** Days are sealed, and no statement is. */
export const NOT_SEALED = 'not sealed';
export const PROVISIONAL = 'provisional';
const NOT_READABLE = 'records not readable';

/** The reasons of a statement that a later run can remove. */
const REPAIRABLE = [NOT_SEALED, 'mail not sent', NOT_READABLE];

/** 1: arrived, and needs a look. 2: missing, and a later run may bring it. 3: needs a person. */
export type Badness = 1 | 2 | 3;

export function badnessOf(reason: string): Badness {
  if (reason === 'unbalanced' || reason === PROVISIONAL) return 1;
  const mayPass = ['no run', 'mail not sent', NOT_SEALED, NOTHING_SEALED].includes(reason);
  return mayPass || reason.startsWith('pull failed') ? 2 : 3;
}

/** Why ops are notified of a page, `null` when all is well. */
export function troubleOf({ missing, isGood }: Delivery): string | null {
  return missing ?? (isGood ? null : PROVISIONAL);
}

type ExpectedMail = Pick<ExpectedPage, 'entry' | 'recipients'>;

/** Whether the round has all recipients: a run that died may have left some out. */
function hasEveryone(ledger: Ledger, { entry, recipients }: ExpectedMail): boolean {
  const reached = [...decisiveEntries(ledger).values()].filter(({ status }) => isReceived(status));
  const written = new Set([...presentRound(ledger), ...reached].map(({ to }) => to));
  const audience = audienceOf(ledger);
  if (audience !== null) return audience.isSubsetOf(written);
  return entry === 'usable' && recipients.every((address) => written.has(addressHash(address)));
}

/** What became of a page's mail. @param ledger the one that counts @param now milliseconds UTC */
export function mailOutcome(ledger: Ledger | undefined, expected: ExpectedMail, now: number): MailOutcome {
  if (ledger === undefined) return 'unfinished';
  // A `resend` changes nothing about a mail that was received, neither while it runs nor by its result.
  const received = receivedBefore(ledger);
  if (received !== undefined) return received;
  // An empty day, or a day without mail. A `resend` does not make it worse, neither while it runs nor after.
  if (hadNothingToSend(ledger)) return isReceived(ledger.status) ? ledger.status : 'none';
  const isUnfinished = ledger.status === 'intended';
  if (isUnfinished && !hasEveryone(ledger, expected)) return 'unfinished';
  const status = isUnfinished ? settledStatus(withUnsettledHeld(ledger, ledger.until)) : ledger.status;
  // This is also so while a run sends the mail again to somebody who has it.
  if (isReceived(status)) return status;
  if (isUnfinished && now < Date.parse(ledger.until)) return 'unfinished';
  const present = presentEntries(ledger);
  const wantNone = present.length > 0 && present.every(isStoppedByReader);
  if (status === 'skipped' && wantNone) return 'stopped by readers';
  return status === 'intended' ? 'unfinished' : status;
}

function reasonOfSuppressions(ledger: Ledger): string {
  const reasons = presentEntries(ledger).map(({ reason }) => reason ?? '');
  if (reasons.some((reason) => /complain/.test(reason))) return 'complained';
  if (reasons.some((reason) => /bounce/.test(reason))) return 'bounced';
  // The reason may be in a person's own words. Else all whose mail was refused have left the list.
  return reasons.some((reason) => /is stopped/.test(reason)) ? 'mail stopped' : 'mail not sent';
}

/** Why the mail did not arrive, `null` when it did or was never to be sent. */
export function reasonOfMail(mail: MailOutcome, ledger: Ledger | undefined): string | null {
  switch (mail) {
    case 'accepted':
    case 'delivered':
    case 'none':
    case 'stopped by readers':
      return null;
    case 'skipped':
      return ledger === undefined ? 'mail not sent' : reasonOfSuppressions(ledger);
    case 'held':
      return 'mail held';
    case 'bounced':
    case 'complained':
      return mail;
    case 'failed':
    case 'unfinished':
      return 'mail not sent';
  }
}

/** The form of an error's name. Other text must not get into notices. */
const ERROR_NAME = /^[A-Za-z][A-Za-z0-9_.]{0,63}$/;

/** `null` when a whole page is sealed. */
function reasonOfNoPage(page: ExpectedPage, records: PageRecords): string | null {
  const { revision, asOf, check, hasParts } = records;
  if (!isMerchantDay(page)) return revision !== undefined ? null : hasParts ? NOT_SEALED : NOTHING_SEALED;
  const isAfterDay = (time: string) => dayAt(Date.parse(time), page.timeZone) > page.period;
  // A revision that was sealed while the day was still running is not the day's report.
  if (revision !== undefined && asOf !== undefined && isAfterDay(asOf)) return null;
  if (page.entry === 'gone') return 'not in the registry any more';
  if (page.entry === 'not usable') return 'entry not usable';
  // A failure while the day was still running does not explain why it was not pulled afterwards.
  if (check?.outcome !== 'failed' || !isAfterDay(check.checkedAt)) return 'no run';
  const error = check.error ?? '';
  return `pull failed: ${ERROR_NAME.test(error) ? error : 'UnknownError'}`;
}

function delivery(
  page: ExpectedPage,
  found: Pick<Delivery, 'revision' | 'missing' | 'mail' | 'isGood'>,
): Delivery {
  const { owner, period, isDue, isRecent } = page;
  const counts = isRecent || (found.missing !== null && REPAIRABLE.includes(found.missing));
  return { owner, period, isDue, counts, ...found };
}

export function unreadableDelivery(page: ExpectedPage, revision?: number): Delivery {
  return delivery(page, { revision, missing: NOT_READABLE, mail: null, isGood: true });
}

/**
 * What became of a page. Received is one that is whole, balanced if it is a merchant's day, and whose mail
 * was accepted, delivered or not to be sent. The earliest step's reason counts, but a missing mail more than
 * figures that differ.
 * @param now milliseconds UTC
 */
export function deliveryOf(page: ExpectedPage, records: PageRecords, now: number): Delivery {
  const { revision, ledger, isGood: found } = records;
  const notSealed = reasonOfNoPage(page, records);
  if (notSealed !== null) return delivery(page, { revision, missing: notSealed, mail: null, isGood: true });
  const isGood = found !== false;
  const mail = mailOutcome(ledger, page, now);
  const unbalanced = isMerchantDay(page) && !isGood ? 'unbalanced' : null;
  return delivery(page, { revision, missing: reasonOfMail(mail, ledger) ?? unbalanced, mail, isGood });
}
