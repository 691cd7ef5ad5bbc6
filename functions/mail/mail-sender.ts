import type { Day } from '#records/day/business-day.ts';
import type { Period } from '#records/period/period.ts';
import { isMerchantDay } from '#records/storage/keys.ts';
import type { PagePlace } from '#records/storage/keys.ts';
import type { Clock } from '#runtime/clock.ts';

export interface MailTags {
  kind: string;
  merchant?: string;
  group?: string;
  day?: Day;
  period?: Period;
  revision?: string;
  check?: string;
  recipient?: string;
}

export function tagsOfPage(place: PagePlace): Omit<MailTags, 'kind' | 'recipient'> {
  const { owner, period, revision } = place;
  return {
    ...(owner.merchantCode === undefined ? { group: owner.group } : { merchant: owner.merchantCode }),
    ...(isMerchantDay(place) ? { day: period } : { period }),
    revision: revision.toString(),
  };
}

export interface OutgoingMail {
  to: string;
  raw: Uint8Array;
  tags: MailTags;
}

/** `refused`: certainly not accepted (`throttled`: later may help). `unknown`: sending again could send it twice. */
export type SendOutcome =
  | { kind: 'accepted'; messageId: string }
  | { kind: 'refused'; throttled: boolean; reason: string }
  | { kind: 'unknown'; reason: string };

export interface MailSender {
  /** @param timeout milliseconds after which the outcome is `unknown` */
  send(mail: OutgoingMail, timeout: number): Promise<SendOutcome>;
}

const MOST_ATTEMPTS = 5;
const FIRST_DELAY = 1_000;
/** Milliseconds that a refused mail is tried at least: half of every delay is fixed. */
export const LEAST_PATIENCE = (FIRST_DELAY * (2 ** (MOST_ATTEMPTS - 1) - 1)) / 2;

/**
 * Sends, and again when it was certainly not accepted: after an unknown outcome it could be sent twice.
 * @param until milliseconds UTC by which an attempt must be able to end
 */
export async function sendWithBackoff(
  sender: MailSender,
  clock: Clock,
  mail: OutgoingMail,
  timeout: number,
  until: number,
): Promise<SendOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await sender.send(mail, timeout);
    if (outcome.kind !== 'refused' || !outcome.throttled || attempt === MOST_ATTEMPTS) return outcome;
    // Half of the delay is fixed, because a limit of mails per second needs time to pass.
    const delay = FIRST_DELAY * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    if (clock.now() + delay + timeout > until) return outcome;
    await clock.sleep(delay);
  }
}
