import { InvalidEventError } from '#domain/errors/invalid-event.ts';
import { addressesOnce } from '#domain/mail/mail-address.ts';
import { addressHash } from '#domain/storage/keys.ts';
import { mailPage } from '#mailing/pages/mail-page.ts';
import type { MailedPage } from '#mailing/pages/mailed-page.ts';
import type { MailAnswer } from '#mailing/once/mail-answer.ts';
import type { ComposedMail } from '#mailing/once/mail-round.ts';
import { assertPreviewAllowed } from '#mailing/preview/preview-addresses.ts';
import { mailPreview } from '#mailing/preview/mail-preview.ts';
import { newRunId } from '#runtime/run-id.ts';
import type { Dependencies } from './dependencies.ts';
import type { StatementEvent } from './statement-event.ts';

/** What the event says about the mail. */
export type AskedMail = Pick<StatementEvent, 'send' | 'to' | 'resend' | 'dryRun'>;

/**
 * Makes sure that a mail goes to the recipients only, and a preview to people around them only.
 *
 * @param whose `merchant` or `group`, for the message
 * @throws {InvalidEventError} with the place in the event, without the address
 * @throws {PreviewAddressError} when a preview must not go to an address in the event
 */
export async function assertMailAllowed(
  { environment }: Pick<Dependencies, 'environment'>,
  { to, resend }: AskedMail,
  recipients: readonly string[],
  whose: 'merchant' | 'group',
): Promise<void> {
  if (Array.isArray(resend)) {
    const known = addressesOnce(recipients);
    const stranger = resend.findIndex((address) => !known.has(addressHash(address)));
    if (stranger >= 0) {
      throw new InvalidEventError(`resend[${stranger}]`, `is not a recipient of this ${whose}`);
    }
  }
  if (to === undefined) return;
  const { ops, mail } = environment;
  await assertPreviewAllowed(to, { recipients, opsRecipients: ops.recipients, mailFrom: mail.from });
}

/** The page, and its mail. */
interface MailToMake {
  page: MailedPage;
  /** Whether this run has just sealed the page. Then it has no ledger yet, or nearly never. */
  isNew: boolean;
  preview: () => Promise<ComposedMail>;
  /** The last mail must be sent by this time, milliseconds UTC. */
  deadline: number;
}

/** Mails a page to its recipients, or as a preview, or not at all, as the event says. */
export async function mailAsAsked(
  dependencies: Dependencies,
  { send, to, resend }: AskedMail,
  { page, isNew, preview, deadline }: MailToMake,
): Promise<MailAnswer> {
  if (to === undefined) {
    const writer = newRunId(dependencies.clock.now());
    return mailPage(dependencies, { page, isNew, send, resend, writer, deadline });
  }
  // A preview does not use ledgers. With `send: false` it does nothing.
  if (!send) return { status: 'skipped', reason: 'not asked for', messageIds: [] };
  return mailPreview(dependencies, { composed: await preview(), to, tags: page.tags, deadline });
}
