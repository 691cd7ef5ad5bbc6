import { allGroups } from '#registry/groups.ts';
import { allMerchants } from '#registry/merchants.ts';
import type { Registry } from '#registry/registry.ts';
import { addressesOnce } from '#registry/mail-address.ts';

/** An address that the registry knows, and who has it. */
export interface KnownAddress {
  /** As the registry writes it first. */
  address: string;
  merchants: { merchantCode: string; timeZone: string }[];
  /** The names of the groups whose pages it gets. */
  groups: string[];
}

/** Every address of a usable entry or group, by its hash. */
export function knownAddresses(registry: Registry): Map<string, KnownAddress> {
  const known = new Map<string, KnownAddress>();
  /** The owners of an address, to add one more. */
  const ownersOf = (hash: string, address: string): KnownAddress => {
    const owners = known.get(hash) ?? { address, merchants: [], groups: [] };
    known.set(hash, owners);
    return owners;
  };
  for (const { merchantCode, timeZone, recipients } of allMerchants(registry).merchants) {
    for (const [hash, { address }] of addressesOnce(recipients)) {
      ownersOf(hash, address).merchants.push({ merchantCode, timeZone });
    }
  }
  for (const { name, recipients } of allGroups(registry).groups) {
    for (const [hash, { address }] of addressesOnce(recipients)) ownersOf(hash, address).groups.push(name);
  }
  return known;
}
