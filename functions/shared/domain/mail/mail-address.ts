import { addressHash } from '../storage/keys.ts';

/** The domain of a bare address, in lower case, without a dot at its end. */
export function domainOf(address: string): string {
  return address
    .slice(address.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()
    .replace(/\.$/, '');
}

/**
 * Each address once, in the order given. Addresses that differ by case only are the same.
 *
 * @returns by the hash that ledgers use: the address and its place in the list
 */
export function addressesOnce(addresses: readonly string[]): Map<string, { address: string; place: number }> {
  const once = new Map<string, { address: string; place: number }>();
  for (const [place, address] of addresses.entries()) {
    const hash = addressHash(address);
    if (!once.has(hash)) once.set(hash, { address, place });
  }
  return once;
}
