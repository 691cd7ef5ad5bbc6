import { bareAddress } from '#registry/bare-address.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { addressHash } from '#records/storage/keys.ts';
import { domainOf } from '#registry/mail-address.ts';

/** A preview was asked for an address that has nothing to do with the merchant. */
export class PreviewAddressError extends DaybookError {
  override readonly name = 'PreviewAddressError';
}

export interface PreviewReach {
  recipients: readonly string[];
  opsRecipients: readonly string[];
  mailFrom: string;
}

/**
 * A preview goes to recipients, ops, the sender and addresses at their domains, not at those of anyone.
 * @throws {PreviewAddressError} with the place in the event and the reason, without the address
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
        `to[${place}]: is neither an address of this merchant, of ops or of the sender, nor at one of their domains`,
      );
    }
    // Most previews go to known addresses, so the list is loaded only when it is needed.
    const { isPublicMailDomain } = await import('./public-mail-domains.ts');
    if (isPublicMailDomain(domainOf(address))) {
      throw new PreviewAddressError(
        `to[${place}]: is at a public mail domain, where a preview goes only to addresses of this merchant, of ops and of the sender`,
      );
    }
  }
}
