import * as z from 'zod';
import { mailAddress, addressesOnce } from '#registry/mail-address.ts';
import { MOST_RECIPIENTS } from '#registry/registry-schema.ts';
import { MERCHANT_CODE, addressHash } from '#records/storage/keys.ts';
import { InvalidEventError } from '#records/errors/invalid-event.ts';
import type { Environment } from '#registry/environment.ts';
import type { AskedMail } from './send-page.ts';

/** What the events of pages share (docs/interfaces.md, 4 Events and answers). */

export const ownerName = z.lazy(() =>
  z.string().regex(MERCHANT_CODE, 'must be letters, digits and "-", 64 at most'),
);

/** How a page is mailed, and when it was due. Without `send` it is mailed. */
export function mailMembers() {
  return {
    send: z.boolean().default(true),
    to: z.array(mailAddress).min(1).max(50).optional(),
    resend: z
      .union(
        [z.boolean(), z.literal('failed'), z.array(mailAddress).min(1).max(MOST_RECIPIENTS)],
        `must be true, false, "failed" or a list of 1 to ${MOST_RECIPIENTS} addresses`,
      )
      .default(false),
    dryRun: z.boolean().default(false),
    scheduledTime: z.iso.datetime({ offset: true }).nullish(),
  };
}

type Check = [(event: AskedMail) => boolean, { path: string[]; message: string }];

export const RESEND_IS_SENT: Check = [
  ({ resend, send }) => send || resend === false,
  { path: ['resend'], message: 'contradicts "send": false' },
];

export const PREVIEW_IS_ONCE: Check = [
  ({ resend, to }) => to === undefined || resend === false,
  { path: ['resend'], message: 'contradicts "to": a preview is not sent again' },
];

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
  const { assertPreviewAllowed } = await import('#mail/mail-preview.ts');
  assertPreviewAllowed(to, { recipients, opsRecipients: ops.recipients, mailFrom: mail.from });
}
