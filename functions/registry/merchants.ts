import { readEntry, rejectionsOfReading, Heirs } from './entry.ts';
import type { EntrySettings } from './entry.ts';
import { fieldPath } from '#records/json/schema-issue.ts';
import { placesOfCodes, servingPlace, usableCode } from './registry.ts';
import { MOST_OF_OWNER, rejectionsOf, shownPath } from './problem.ts';
import type { Rejection } from './problem.ts';
import { InvalidMerchantError, UnknownMerchantError } from './registry-errors.ts';
import type { MerchantSettings } from './registry-schema.ts';
import type { Registry } from './registry.ts';

function named(settings: EntrySettings): MerchantSettings {
  return { ...settings, name: settings.name ?? settings.merchantCode };
}

/**
 * The settings of one merchant. No other entry is read.
 * @throws {UnknownMerchantError} when no entry has this code
 * @throws {InvalidMerchantError} when it is unusable, or the code comes twice and it is unknown which is
 * right
 */
export function merchantSettings(registry: Registry, merchantCode: string): MerchantSettings {
  const places = placesOfCodes(registry).get(merchantCode) ?? [];
  if (places.length === 0) throw new UnknownMerchantError(merchantCode);
  const place = servingPlace(registry, merchantCode, places);
  if (place === undefined) {
    const reason = `appears ${places.length} times`;
    throw new InvalidMerchantError(merchantCode, [{ path: 'merchantCode', reason }]);
  }
  const read = readEntry(registry.defaults, registry.merchants[place], []);
  if (read.settings !== undefined) return named(read.settings);
  throw new InvalidMerchantError(merchantCode, rejectionsOfReading(read));
}

/** Whether any entry can be used: a mistake in the defaults makes all of them unusable. */
export function hasUsableMerchant(registry: Registry): boolean {
  return registry.merchants.some((entry) => readEntry(registry.defaults, entry, []).settings !== undefined);
}

interface AllMerchants {
  merchants: MerchantSettings[];
  /** By path; a bad default once, at `defaults.…`. */
  rejected: Rejection[];
  leftOut: number;
}

export function allMerchants(registry: Registry): AllMerchants {
  const merchants: MerchantSettings[] = [];
  const rejected: Rejection[] = [];
  const heirs = new Heirs('entry', 'entries');
  const places = placesOfCodes(registry);
  for (const [index, entry] of registry.merchants.entries()) {
    const at = ['merchants', index];
    const read = readEntry(registry.defaults, entry, at);
    const code = usableCode(entry);
    const serving = code === null ? index : servingPlace(registry, code, places.get(code) ?? []);
    if (read.settings !== undefined && serving === index) {
      merchants.push(named(read.settings));
      continue;
    }
    rejected.push(...rejectionsOf(read.problems ?? [], code, at, MOST_OF_OWNER));
    for (const bad of read.inherited ?? []) heirs.note(bad, code);
    if (serving === index) continue;
    rejected.push({ path: shownPath([...at, 'merchantCode']), reason: doubled(serving, code) });
  }
  const leftOut = registry.merchants.length - merchants.length;
  return { merchants, rejected: [...heirs.rejections(), ...rejected], leftOut };
}

function doubled(serving: number | undefined, code: string | null): string {
  const reason = `appears in the registry more than once${code === null ? '' : ` (merchant ${code})`}`;
  if (serving === undefined) return reason;
  return `${reason}; ${fieldPath(['merchants', serving])} is used, because the last good registry has the same entry`;
}
