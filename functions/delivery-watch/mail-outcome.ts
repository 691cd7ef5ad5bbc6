import { presentRound, withUnsettledHeld } from '#domain/ledger/ledger-progress.ts';
import { audienceOf, presentEntries } from '#domain/ledger/ledger-rounds.ts';
import {
  hadNothingToSend,
  isReceived,
  receivedBefore,
  settledStatus,
  decisiveEntries,
} from '#domain/ledger/ledger-outcome.ts';
import type { Ledger, RecipientStatus } from '#domain/ledger/ledger.ts';
import { addressHash } from '#domain/storage/keys.ts';
import type { ExpectedReport } from './expected-reports.ts';

/** To whom a mail must have gone: the addresses in a usable entry of the registry. */
export type ExpectedMail = Pick<ExpectedReport, 'entry' | 'recipients'>;

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
export type MailOutcome = Exclude<RecipientStatus, 'intended'> | 'unfinished' | 'none';

/** @param now milliseconds UTC */
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

/** Why the mail did not arrive, `null` when it did or was never to be sent. */
export function reasonOfMail(standing: MailOutcome, ledger: Ledger | undefined): string | null {
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
