import * as z from 'zod';
import { MERCHANT_CODE } from './registry-schema.ts';
import { KEPT_ENTRIES } from './registry.ts';
import type { Registry } from './registry.ts';

const codeOf = z.lazy(() => z.object({ merchantCode: z.unknown() }));

/** The code that an entry claims, whatever else is wrong with it. */
export function claimedCode(entry: unknown): unknown {
  return codeOf.safeParse(entry).data?.merchantCode;
}

/** The codes that entries claim, usable or not; what is no code at all is left out. */
export function claimedCodes(registry: Registry): Set<string> {
  const codes = new Set<string>();
  for (const entry of registry.merchants) {
    const code = claimedCode(entry);
    if (typeof code === 'string' && MERCHANT_CODE.test(code)) codes.add(code);
  }
  return codes;
}

/** The places of the entries that claim each code, in the registry's order. */
export function placesOfCodes(registry: Registry): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, entry] of registry.merchants.entries()) {
    const code = claimedCode(entry);
    if (typeof code !== 'string') continue;
    const known = places.get(code);
    if (known === undefined) places.set(code, [index]);
    else known.push(index);
  }
  return places;
}

/** The registry in which, of a code that stands there more than once, the entry at that place serves. */
export function keeping(registry: Registry, kept: ReadonlyMap<string, number>): Registry {
  return kept.size === 0 ? registry : { ...registry, [KEPT_ENTRIES]: kept };
}

/** The place of the entry that serves of a code's places; `undefined` where there are several and nobody can know. */
export function servingPlace(
  registry: Registry,
  code: string,
  places: readonly number[],
): number | undefined {
  return places.length === 1 ? places[0] : registry[KEPT_ENTRIES]?.get(code);
}
