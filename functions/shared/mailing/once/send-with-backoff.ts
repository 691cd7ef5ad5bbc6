import type { Clock } from '#runtime/clock.ts';
import type { MailSender, OutgoingMail, SendOutcome } from '../mail-sender.ts';

const MOST_ATTEMPTS = 5;
/** Milliseconds. */
const FIRST_DELAY = 1_000;

/**
 * Sends one mail; where the service certainly did not take it because it is busy, waits and tries again. Any other
 * outcome is final: after an unknown one a second attempt could be a second mail.
 *
 * @param until milliseconds UTC; no attempt begins that could not end by then
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
    // Half of it fixed: a limit of mails a second wants time to pass.
    const delay = FIRST_DELAY * 2 ** (attempt - 1) * (0.5 + random() / 2);
    if (clock.now() + delay + timeout > until) return outcome;
    await clock.sleep(delay);
  }
}
