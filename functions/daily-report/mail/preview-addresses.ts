import { bareAddress } from '#mailing/message/bare-address.ts';
import { DaybookError } from '#domain/errors/daybook-error.ts';
import { addressHash } from '#domain/storage/keys.ts';
import { domainOf } from '#domain/mail/mail-address.ts';

/** A preview was asked for an address that mail of this merchant has no reason to go to. */
export class PreviewAddressError extends DaybookError {
  override readonly name = 'PreviewAddressError';
}

/** Whose addresses a preview of a merchant may go to. */
export interface PreviewReach {
  /** The merchant's own. */
  recipients: readonly string[];
  opsRecipients: readonly string[];
  /** As in `MAIL_FROM`. */
  mailFrom: string;
}

/**
 * Makes sure that a preview goes only to people who have to do with the merchant: its recipients, ops, the sender, and
 * others of their domains, as long as not anyone can have an address there.
 *
 * @throws {PreviewAddressError} naming the place in the event and the reason, not the address
 */
export async function assertPreviewAllowed(
  to: readonly string[],
  { recipients, opsRecipients, mailFrom }: PreviewReach,
): Promise<void> {
  const known = [...recipients, ...opsRecipients, bareAddress(mailFrom)];
  const [addresses, domains] = [new Set(known.map(addressHash)), new Set(known.map(domainOf))];
  for (const [place, address] of to.entries()) {
    if (addresses.has(addressHash(address))) continue;
    if (!domains.has(domainOf(address))) {
      throw new PreviewAddressError(
        `to[${place}]: is not an address of this merchant, of ops or of the sender, nor at one of their domains`,
      );
    }
    // Most previews go to known addresses.
    const { isPublicMailDomain } = await import('./public-mail-domains.ts');
    if (isPublicMailDomain(domainOf(address))) {
      throw new PreviewAddressError(
        `to[${place}]: is at a public mail domain, where a preview goes only to addresses of this merchant, of ops and of the sender`,
      );
    }
  }
}
