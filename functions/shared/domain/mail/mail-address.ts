import { addressHash } from '../storage/keys.ts';

/** The domain of a bare address, in lower case, without the dot that may end it. */
export function domainOf(address: string): string {
  return address
    .slice(address.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()
    .replace(/\.$/, '');
}

/**
 * Each address once, in the order given, by what stands for it in ledgers: letter case makes no second one.
 *
 * @returns by that hash, the address as it stands at its first place, and that place
 */
export function addressesOnce(addresses: readonly string[]): Map<string, { address: string; place: number }> {
  const once = new Map<string, { address: string; place: number }>();
  for (const [place, address] of addresses.entries()) {
    const hash = addressHash(address);
    if (!once.has(hash)) once.set(hash, { address, place });
  }
  return once;
}
