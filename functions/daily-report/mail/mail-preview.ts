import { addressesOnce } from '#domain/mail/mail-address.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { MailRefusedError } from '#mailing/once/mail-errors.ts';
import type { MailAnswer } from '#mailing/once/mail-answer.ts';
import { sendWithBackoff } from '#mailing/once/send-with-backoff.ts';
import type { ReportMailPorts } from './mail-revision.ts';

/** Milliseconds. */
const SEND_TIMEOUT = 20_000;

/**
 * Sends a revision to chosen addresses, marked as a preview. No ledger records it.
 *
 * @param deadline when the function ends, milliseconds UTC
 * @throws {MailRefusedError} when an address is suppressed, or when a mail was not certainly accepted; it is
 * safe to try again
 */
export async function mailPreview(
  ports: ReportMailPorts,
  settings: MerchantSettings,
  manifest: Manifest,
  to: readonly string[],
  deadline: number,
): Promise<MailAnswer> {
  const { composeReport } = await import('./composers.ts');
  const composed = await composeReport(settings, ports.senderProfile, ports.snapshots, {
    manifest,
    preview: true,
  });
  const messageIds: string[] = [];
  for (const [recipient, { address, place }] of addressesOnce(to)) {
    const suppressed = await ports.suppressionList.reason(recipient);
    if (suppressed !== undefined) {
      throw new MailRefusedError(`preview to[${place}]: mail to this address is stopped: ${suppressed}`);
    }
    const tags = {
      kind: 'preview',
      merchant: manifest.merchantCode,
      day: manifest.day,
      revision: manifest.revision.toString(),
      recipient,
    };
    const mail = { to: address, raw: await composed(address), tags };
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
