import { allMerchants } from '#domain/registry/merchants.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { addressesOnce } from '#domain/mail/mail-address.ts';

/** An address that the registry knows, and who has it. */
export interface KnownAddress {
  /** As the registry writes it first. */
  address: string;
  merchants: { merchantCode: string; timeZone: string }[];
}

/** Every address of a usable entry, by its hash. */
export function knownAddresses(registry: Registry): Map<string, KnownAddress> {
  const known = new Map<string, KnownAddress>();
  for (const { merchantCode, timeZone, recipients } of allMerchants(registry).merchants) {
    for (const [hash, { address }] of addressesOnce(recipients)) {
      const before = known.get(hash);
      if (before === undefined) known.set(hash, { address, merchants: [{ merchantCode, timeZone }] });
      else before.merchants.push({ merchantCode, timeZone });
    }
  }
  return known;
}
