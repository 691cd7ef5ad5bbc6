import { dayAt } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import {
  decisiveEntries,
  hadNothingToSend,
  isReceived,
  receivedBefore,
  settledStatus,
} from '#domain/ledger/ledger-outcome.ts';
import { presentRound, withUnsettledHeld } from '#domain/ledger/ledger-progress.ts';
import { audienceOf, presentEntries } from '#domain/ledger/ledger-rounds.ts';
import type { Ledger, RecipientStatus } from '#domain/ledger/ledger.ts';
import type { CheckRecord } from '#domain/revision/check-record.ts';
import { addressHash, isMerchantDay } from '#domain/storage/keys.ts';
import type { PageId } from '#domain/storage/keys.ts';

/** A page that must be there: a merchant's day or statement, or a group's page. */
export interface ExpectedPage extends PageId {
  /** The first and the last day. */
  from: Day;
  to: Day;
  timeZone: string;
  /** Whether its deadline has passed. A day that is not due is looked at only when the event names it. */
  isDue: boolean;
  /** Whether its deadline passed within the last day. Of older statements only what may still come is counted. */
  isRecent: boolean;
  /** Whether the owner has a usable entry in the registry, an unusable one, or none any more. */
  entry: 'usable' | 'not usable' | 'gone';
  /** The name in a usable entry, else `null`. Any text. */
  name: string | null;
  /** The addresses in a usable entry. */
  recipients: readonly string[];
  /** The codes of a group's merchants. `null` for a merchant's page. */
  members: readonly string[] | null;
}

/** What is stored of a page. */
export interface PageRecords {
  /** The newest sealed revision, of a whole day or not. `undefined` when nothing is sealed. */
  revision: number | undefined;
  /** Whether it balances, or is final. `undefined` when that is not known. */
  isGood: boolean | undefined;
  /** The ledger of the newest revision that was to be mailed. `undefined` when a ledger is missing. */
  ledger: Ledger | undefined;
  /** Of a merchant's day: when its figures were last known to agree with the service (ISO 8601, UTC). */
  asOf?: string | undefined;
  /** Of a merchant's day: the record of its last pull. */
  check?: CheckRecord | undefined;
  /** Of any other page: whether there is anything to add up: a sealed day, or a page of a group's merchant. */
  hasParts: boolean;
}

/** What became of the mail, over all its rounds. `unfinished`: a run still has to send it. `none`: it was not to be sent. */
export type MailOutcome = Exclude<RecipientStatus, 'intended'> | 'unfinished' | 'none';

/** What became of an expected page. */
export interface Delivery extends PageId {
  revision: number | undefined;
  isDue: boolean;
  /** The likely reason, `null` for a page that arrived. */
  missing: string | null;
  /** `null` when no whole page is sealed, or nothing can be known of it. */
  mail: MailOutcome | null;
  /** `false` when the newest revision is not balanced, or provisional. */
  isGood: boolean;
  /**
   * Whether it is in the answer and in the metrics. A day after its deadline only what a run can still bring is: a person has
   * to act on everything else, and was notified of it.
   */
  counts: boolean;
}

/** No day of it is sealed, or no page of a group's merchants, so nothing can be added up. Ops are notified of it once. */
export const NOTHING_SEALED = 'nothing sealed';
/** Days are sealed, and no statement is. */
export const NOT_SEALED = 'not sealed';
/** Why ops are notified of a statement that arrived. */
export const PROVISIONAL = 'provisional';
const NOT_READABLE = 'records not readable';

/** The reasons of a statement that a later run can remove. */
const REPAIRABLE = [NOT_SEALED, 'mail not sent', NOT_READABLE];

/**
 * How bad a reason is. 1: the page arrived and needs a look. 2: it did not arrive, and a later run may still bring it. 3: it
 * does not arrive until a person acts.
 */
export type Badness = 1 | 2 | 3;

/** How bad such a reason is. */
export function badnessOf(reason: string): Badness {
  if (reason === 'unbalanced' || reason === PROVISIONAL) return 1;
  const mayPass = ['no run', 'mail not sent', NOT_SEALED, NOTHING_SEALED].includes(reason);
  return mayPass || reason.startsWith('pull failed') ? 2 : 3;
}

/** Why ops are notified of a page, `null` when all is well. */
export function troubleOf({ missing, isGood }: Delivery): string | null {
  return missing ?? (isGood ? null : PROVISIONAL);
}

/** To whom a mail must have gone. */
type ExpectedMail = Pick<ExpectedPage, 'entry' | 'recipients'>;

/**
 * Whether the present round has all its recipients, or an earlier round reached them. A run that died may have left
 * some out.
 */
function hasEveryone(ledger: Ledger, { entry, recipients }: ExpectedMail): boolean {
  const reached = [...decisiveEntries(ledger).values()].filter(({ status }) => isReceived(status));
  const written = new Set([...presentRound(ledger), ...reached].map(({ to }) => to));
  const audience = audienceOf(ledger);
  if (audience !== null) return audience.isSubsetOf(written);
  return entry === 'usable' && recipients.every((address) => written.has(addressHash(address)));
}

/**
 * What became of the mail of a page.
 *
 * @param ledger the one that counts
 * @param now milliseconds UTC
 */
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
  return status === 'intended' ? 'unfinished' : status;
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

/** Why the mail did not arrive, `null` when it did or was never to be sent. */
export function reasonOfMail(mail: MailOutcome, ledger: Ledger | undefined): string | null {
  switch (mail) {
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
      return mail;
    case 'failed':
    case 'unfinished':
      return 'mail not sent';
  }
}

/** The form of an error's name. Other text must not get into notices. */
const ERROR_NAME = /^[A-Za-z][A-Za-z0-9_.]{0,63}$/;

/** Why no whole page is sealed, `null` when one is. */
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

/** What became of a page whose records cannot be read. */
export function unreadableDelivery(page: ExpectedPage, revision?: number): Delivery {
  return delivery(page, { revision, missing: NOT_READABLE, mail: null, isGood: true });
}

/**
 * What became of a page. It counts as received when it is whole, a merchant's day balances, and its mail was accepted or
 * delivered, or was not to be sent. Of several reasons the earliest step counts, but a mail that nobody has counts more than
 * figures that differ.
 *
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
