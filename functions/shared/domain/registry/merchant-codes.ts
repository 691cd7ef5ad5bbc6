import { isMembers } from '../json/exact-json.ts';
import { MERCHANT_CODE } from './registry-schema.ts';
import { KEPT_ENTRIES } from './registry.ts';
import type { Registry } from './registry.ts';

/** The code in an entry, whatever else is wrong with the entry. */
export function codeInEntry(entry: unknown): unknown {
  return isMembers(entry) ? entry.merchantCode : undefined;
}

/** The code in an entry, `null` when it has none or one that is not a code. */
export function usableCode(entry: unknown): string | null {
  const code = codeInEntry(entry);
  return typeof code === 'string' && MERCHANT_CODE.test(code) ? code : null;
}

/** The codes in all entries, usable or not. A value that is not a code is left out. */
export function codesInEntries(registry: Registry): Set<string> {
  const codes = new Set<string>();
  for (const entry of registry.merchants) {
    const code = usableCode(entry);
    if (code !== null) codes.add(code);
  }
  return codes;
}

/** The places of the entries with each code, in the registry's order. */
export function placesOfCodes(registry: Registry): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, entry] of registry.merchants.entries()) {
    const code = codeInEntry(entry);
    if (typeof code !== 'string') continue;
    const known = places.get(code);
    if (known === undefined) places.set(code, [index]);
    else known.push(index);
  }
  return places;
}

/** The registry with the places of the entries that are used for codes that appear more than once. */
export function withUsedEntries(registry: Registry, kept: ReadonlyMap<string, number>): Registry {
  return kept.size === 0 ? registry : { ...registry, [KEPT_ENTRIES]: kept };
}

/**
 * The place of the entry that is used, out of a code's places. `undefined` when it is not known which one is
 * right.
 */
export function servingPlace(
  registry: Registry,
  code: string,
  places: readonly number[],
): number | undefined {
  return places.length === 1 ? places[0] : registry[KEPT_ENTRIES]?.get(code);
}
