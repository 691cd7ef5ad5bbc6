import { addressesOnce } from '#registry/mail-address.ts';
import type { MailTags } from '../message/mail-tags.ts';
import { MailRefusedError } from '../once/mail-errors.ts';
import type { MailAnswer } from '../once/mail-answer.ts';
import type { ComposedMail, MailRoundPorts } from '../once/mail-round.ts';
import { sendWithBackoff } from '../once/send-with-backoff.ts';

const SEND_TIMEOUT = 20_000;

export interface Preview {
  composed: ComposedMail;
  to: readonly string[];
  tags: Omit<MailTags, 'kind' | 'recipient'>;
  /** Milliseconds UTC. */
  deadline: number;
}

/**
 * Sends a preview, which no ledger records.
 * @throws {MailRefusedError} when not certainly accepted; it is safe to try again
 */
export async function mailPreview(
  ports: Pick<MailRoundPorts, 'suppressionList' | 'mailSender' | 'clock'>,
  { composed, to, tags, deadline }: Preview,
): Promise<MailAnswer> {
  const messageIds: string[] = [];
  for (const [recipient, { address, place }] of addressesOnce(to)) {
    const suppressed = await ports.suppressionList.reason(recipient);
    if (suppressed !== undefined) {
      throw new MailRefusedError(`preview to[${place}]: mail to this address is stopped: ${suppressed}`);
    }
    const mail = { to: address, raw: await composed(address), tags: { kind: 'preview', ...tags, recipient } };
    const outcome = await sendWithBackoff(ports.mailSender, ports.clock, mail, SEND_TIMEOUT, deadline);
    if (outcome.kind !== 'accepted') {
      throw new MailRefusedError(
        `preview to[${place}]: the mail service did not take it (${outcome.reason})`,
      );
    }
    messageIds.push(outcome.messageId);
  }
  return { status: 'preview', messageIds };
}
