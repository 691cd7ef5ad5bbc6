import type { Clock } from '#runtime/clock.ts';
import type { MailSender, OutgoingMail, SendOutcome } from '../mail-sender.ts';

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
  random: () => number = Math.random,
): Promise<SendOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await sender.send(mail, timeout);
    if (outcome.kind !== 'refused' || !outcome.throttled || attempt === MOST_ATTEMPTS) return outcome;
    // Half of the delay is fixed, because a limit of mails per second needs time to pass.
    const delay = FIRST_DELAY * 2 ** (attempt - 1) * (0.5 + random() / 2);
    if (clock.now() + delay + timeout > until) return outcome;
    await clock.sleep(delay);
  }
}
