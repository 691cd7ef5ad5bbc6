import { isMembers } from '#records/json/exact-json.ts';
import { MERCHANT_CODE } from './registry-schema.ts';
import { KEPT_ENTRIES } from './registry.ts';
import type { Registry } from './registry.ts';

export function codeInEntry(entry: unknown): unknown {
  return isMembers(entry) ? entry.merchantCode : undefined;
}

export function usableCode(entry: unknown): string | null {
  const code = codeInEntry(entry);
  return typeof code === 'string' && MERCHANT_CODE.test(code) ? code : null;
}

/** Codes of all entries, usable or not; what is no code is left out. */
export function codesInEntries(registry: Registry): Set<string> {
  const codes = new Set<string>();
  for (const entry of registry.merchants) {
    const code = usableCode(entry);
    if (code !== null) codes.add(code);
  }
  return codes;
}

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

/** The registry with the places of the entries that are used for repeated codes. */
export function withUsedEntries(registry: Registry, kept: ReadonlyMap<string, number>): Registry {
  return kept.size === 0 ? registry : { ...registry, [KEPT_ENTRIES]: kept };
}

/** The place of the entry that is used, `undefined` when it is not known which one is right. */
export function servingPlace(
  registry: Registry,
  code: string,
  places: readonly number[],
): number | undefined {
  return places.length === 1 ? places[0] : registry[KEPT_ENTRIES]?.get(code);
}
