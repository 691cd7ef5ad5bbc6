import { InvalidEventError } from '#records/errors/invalid-event.ts';
import { addressesOnce } from '#registry/mail-address.ts';
import { addressHash } from '#records/storage/keys.ts';
import type { Environment } from '#registry/environment.ts';
import type { AskedMail } from './mail-page.ts';

/**
 * A mail goes to recipients only, and a preview to people around them.
 * @throws {InvalidEventError} with the place in the event, without the address
 * @throws {PreviewAddressError} when a preview must not go to an address in the event
 */
export async function assertMailAllowed(
  { ops, mail }: Pick<Environment, 'ops' | 'mail'>,
  { to, resend }: Pick<AskedMail, 'to' | 'resend'>,
  recipients: readonly string[],
  whose: 'merchant' | 'group',
): Promise<void> {
  if (typeof resend === 'object') {
    const known = addressesOnce(recipients);
    const stranger = resend.findIndex((address) => !known.has(addressHash(address)));
    if (stranger >= 0) {
      throw new InvalidEventError(`resend[${stranger}]`, `is not a recipient of this ${whose}`);
    }
  }
  if (to === undefined) return;
  const { assertPreviewAllowed } = await import('#mail/preview/preview-addresses.ts');
  await assertPreviewAllowed(to, { recipients, opsRecipients: ops.recipients, mailFrom: mail.from });
}
