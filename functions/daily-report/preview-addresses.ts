import * as z from 'zod';
import type { Registry } from '../shared/core/registry.ts';
import { DaybookError } from '../shared/core/daybook-error.ts';

/** A preview was asked for an address outside the domains of the registry, the sender and ops. */
export class PreviewAddressError extends DaybookError {
  override readonly name = 'PreviewAddressError';
}

const withRecipients = z.lazy(() => z.object({ recipients: z.array(z.string()) }));

function domainOf(address: string): string {
  return address
    .slice(address.lastIndexOf('@') + 1)
    .replace(/>.*$/, '')
    .toLowerCase();
}

/**
 * Makes sure that previews go only where mail of the registry, the sender or ops goes anyway.
 *
 * @throws {PreviewAddressError} naming the place in the event, not the address
 */
export function assertPreviewAllowed(
  to: readonly string[],
  registry: Registry,
  mailFrom: string,
  opsRecipients: readonly string[],
): void {
  const listed = [registry.defaults, ...registry.merchants].flatMap(
    (entry) => withRecipients.safeParse(entry).data?.recipients ?? [],
  );
  const domains = new Set([...listed, mailFrom, ...opsRecipients].map(domainOf));
  const outside = to.findIndex((address) => !domains.has(domainOf(address)));
  if (outside !== -1) {
    throw new PreviewAddressError(
      `to[${outside}]: a preview goes only to domains of the registry's recipients, MAIL_FROM or OPS_RECIPIENTS`,
    );
  }
}
