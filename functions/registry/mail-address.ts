import { domainToASCII } from 'node:url';
import * as z from 'zod';
import { addressHash } from '#records/storage/keys.ts';

const NOT_ASCII = /[^\x21-\x7e]/;

/** The address as mail servers know it: `x@دفتر.example` becomes `x@xn--….example`. `undefined` for any other. */
export function asciiAddress(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const at = value.lastIndexOf('@');
  const [name, domain] = [value.slice(0, at), value.slice(at + 1)];
  if (!NOT_ASCII.test(domain)) return undefined;
  const address = `${name}@${domainToASCII(domain)}`;
  return z.email().safeParse(address).success ? address : undefined;
}

export const mailAddress = z.lazy(() =>
  z.email({
    error: ({ input }) =>
      asciiAddress(input) === undefined
        ? undefined
        : 'must have its domain in ASCII letters, in the form xn--…',
  }),
);

/** In lower case, without a dot at its end. */
export function domainOf(address: string): string {
  return address
    .slice(address.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()
    .replace(/\.$/, '');
}

/** Each address once, whatever its case, by the hash that ledgers use, with its place in the list. */
export function addressesOnce(addresses: readonly string[]): Map<string, { address: string; place: number }> {
  const once = new Map<string, { address: string; place: number }>();
  for (const [place, address] of addresses.entries()) {
    const hash = addressHash(address);
    if (!once.has(hash)) once.set(hash, { address, place });
  }
  return once;
}

/** The bare address of `Name <address>`, or of the address alone. */
export function bareAddress(sender: string): string {
  return (/<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender).trim();
}
