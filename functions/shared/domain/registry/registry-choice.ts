import * as z from 'zod';
import { codesInEntries, withUsedEntries, placesOfCodes } from './merchant-codes.ts';
import { hasRepeatedNames, parseRegistry } from './registry.ts';
import { allMerchants, hasUsableMerchant } from './merchants.ts';
import { RegistryError } from './registry-errors.ts';
import type { Registry } from './registry.ts';
import { isSameJson } from '../json/same-json.ts';

/** A copy of the registry as it was read. */
export interface RegistryCopy {
  /** Its key in the data bucket. */
  key: string;
  /** Its ETag, `null` when there is no object. */
  version: string | null;
  /** Its content, or why it cannot be used. */
  content: Registry | RegistryError;
}

/** The share of the last good registry's merchants that may be missing at once. */
const MOST_LOST = 0.05;
/** The most codes that an alarm lists. */
const MOST_NAMED = 10;

/** Some editors add a byte order mark, which is not visible. It is not part of JSON. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** Reads a copy. `text` is `undefined` when there is no object. */
export function registryCopy(key: string, version: string | null, text: string | undefined): RegistryCopy {
  if (text === undefined)
    return { key, version: null, content: new RegistryError(`there is no registry at ${key}`) };
  try {
    return { key, version, content: parseRegistry(withoutMark(text)) };
  } catch (error) {
    if (error instanceof RegistryError) return { key, version, content: error };
    throw error;
  }
}

function nameOf({ key, version }: RegistryCopy): string {
  return version === null ? key : `${key} (version ${version.replaceAll('"', '')})`;
}

/** What is wrong with a registry that lost too many merchants, `null` when it did not. */
function lossAlarm(
  current: RegistryCopy,
  now: Registry,
  lastGood: RegistryCopy,
  then: Registry,
): string | null {
  const before = codesInEntries(then);
  const lost = [...before.difference(codesInEntries(now))];
  if (lost.length <= before.size * MOST_LOST) return null;
  const named = lost.slice(0, MOST_NAMED).join(', ') + (lost.length > MOST_NAMED ? ', …' : '');
  return (
    `the registry ${nameOf(current)} lacks ${lost.length} of the ${before.size} merchants of the last good one ` +
    `(${named}), which is more than ${MOST_LOST * 100} %. The last good one, ${nameOf(lastGood)}, is used. ` +
    `If those merchants are meant to be gone, push the registry with --accept-removals.`
  );
}

/** What is wrong with a registry that has entries but no usable one, `null` when one is usable. */
function spoiltAlarm(current: RegistryCopy, now: Registry, lastGood: RegistryCopy): string | null {
  if (now.merchants.length === 0 || hasUsableMerchant(now)) return null;
  const first = allMerchants(now).rejected.slice(0, MOST_NAMED);
  const problems = first.map(({ path, reason }) => `${path}: ${reason}`).join('; ');
  return (
    `no entry of the registry ${nameOf(current)} can be used: look at its defaults first (${problems}). ` +
    `The last good one, ${nameOf(lastGood)}, is used until there is a usable one.`
  );
}

/** A code that appears in a registry more than once, and its entry in the last good registry. */
interface DoubledCode {
  code: string;
  places: number[];
  /** `undefined` when the last good registry has none, or more than one. */
  good: unknown;
}

function doubledCodes(now: Registry, then: Registry | RegistryError): DoubledCode[] {
  const doubled = [...placesOfCodes(now)].filter(([, places]) => places.length > 1);
  if (doubled.length === 0) return [];
  const before = then instanceof RegistryError ? undefined : { places: placesOfCodes(then), ...then };
  return doubled.map(([code, places]) => {
    const [place, ...more] = before?.places.get(code) ?? [];
    const isOne = place !== undefined && more.length === 0;
    return { code, places, good: isOne ? before?.merchants[place] : undefined };
  });
}

/** The place of the entry that the last good registry has too, `undefined` when it has none of them. */
function placeOfGood(now: Registry, { places, good }: DoubledCode): number | undefined {
  if (good === undefined) return undefined;
  return places.find((place) => isSameJson(now.merchants[place], good));
}

/**
 * A second entry of a code must not stop the first. When several entries have one code, the one is used that
 * is exactly the same in the last good registry. When there is no such entry, it is not known which one is
 * right, and none is used.
 */
function withoutDoubled(now: Registry, then: Registry | RegistryError): Registry {
  const kept = doubledCodes(now, then).flatMap((doubled): [string, number][] => {
    const place = placeOfGood(now, doubled);
    return place === undefined ? [] : [[doubled.code, place]];
  });
  return withUsedEntries(now, new Map(kept));
}

const rawSchema = z.lazy(() => z.record(z.string(), z.unknown()));

/**
 * The text to keep as the last good registry: that of the current one. When several entries have one code,
 * only the entry in the last good registry is kept, so that the next choice is the same. When the last good
 * registry has none of them, all are kept, so that the merchant is not lost.
 *
 * @param text that of `current`, which must be a registry
 * @returns `undefined` when the last good one stays. This is so when entries must be left out of a text in
 * which an entry has a name twice: the new text would have only one of the two values and look like a good
 * entry
 */
export function goodCopyOf(current: RegistryCopy, lastGood: RegistryCopy, text: string): string | undefined {
  const { content } = current;
  if (content instanceof RegistryError) throw content;
  const doubled = doubledCodes(content, lastGood.content).filter(({ good }) => good !== undefined);
  if (doubled.length === 0) return text;
  if (hasRepeatedNames(content)) return undefined;
  const raw = rawSchema.parse(JSON.parse(withoutMark(text)));
  const entries: unknown[][] = content.merchants.map((entry) => [entry]);
  for (const code of doubled) {
    const serving = placeOfGood(content, code) ?? code.places[0];
    for (const place of code.places) entries[place] = place === serving ? [code.good] : [];
  }
  return JSON.stringify({ ...raw, merchants: entries.flat() });
}

/**
 * Which copy is used: the current one, unless it is unusable or lost more than 5 % of the last good one's
 * merchants.
 *
 * @returns `alarm`: why the last good copy is used and what to do about it, `null` when the current one is
 * used
 * @throws {RegistryError} when neither can be used
 */
export function chooseRegistry(
  current: RegistryCopy,
  lastGood: RegistryCopy,
): { registry: Registry; alarm: string | null } {
  const { content } = current;
  const { content: good } = lastGood;
  if (content instanceof RegistryError) {
    if (good instanceof RegistryError) throw content;
    const alarm =
      `${nameOf(current)}: ${content.message}. ` +
      `The last good one, ${nameOf(lastGood)}, is used until there is a usable one.`;
    return { registry: good, alarm };
  }
  if (good instanceof RegistryError) return { registry: content, alarm: null };
  const alarm = lossAlarm(current, content, lastGood, good) ?? spoiltAlarm(current, content, lastGood);
  return { registry: alarm === null ? withoutDoubled(content, good) : good, alarm };
}
