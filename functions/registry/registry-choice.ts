import * as z from 'zod';
import {
  codesInEntries,
  withUsedEntries,
  placesOfCodes,
  hasRepeatedNames,
  parseRegistry,
} from './registry.ts';
import { allMerchants, hasUsableMerchant } from './merchants.ts';
import { RegistryError } from './registry-errors.ts';
import type { Registry } from './registry.ts';
import { isSameJson } from '#records/json/same-json.ts';

export interface RegistryCopy {
  key: string;
  /** ETag, `null` when there is no object. */
  version: string | null;
  /** The content, or why it cannot be used. */
  content: Registry | RegistryError;
}

const MOST_LOST = 0.05;
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

function spoiltAlarm(current: RegistryCopy, now: Registry, lastGood: RegistryCopy): string | null {
  if (now.merchants.length === 0 || hasUsableMerchant(now)) return null;
  const first = allMerchants(now).rejected.slice(0, MOST_NAMED);
  const problems = first.map(({ path, reason }) => `${path}: ${reason}`).join('; ');
  return (
    `no entry of the registry ${nameOf(current)} can be used: look at its defaults first (${problems}). ` +
    `The last good one, ${nameOf(lastGood)}, is used until there is a usable one.`
  );
}

interface DoubledCode {
  code: string;
  places: readonly number[];
  /** `undefined` when there is none, or more than one. */
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

function placeOfGood(now: Registry, { places, good }: DoubledCode): number | undefined {
  if (good === undefined) return undefined;
  return places.find((place) => isSameJson(now.merchants[place], good));
}

/** A second entry of a code must not stop the first: the one as in the last good registry is used, else none. */
function withoutDoubled(now: Registry, then: Registry | RegistryError): Registry {
  const kept = doubledCodes(now, then).flatMap((doubled): [string, number][] => {
    const place = placeOfGood(now, doubled);
    return place === undefined ? [] : [[doubled.code, place]];
  });
  return withUsedEntries(now, new Map(kept));
}

const rawSchema = z.lazy(() => z.record(z.string(), z.unknown()));

/**
 * The text to keep as the last good registry. Of entries with one code only the last good one's is kept, so
 * that the next choice is the same; all, when it has none of them. `undefined`: the last good one stays,
 * because entries must be left out of a text that repeats a name in an entry, and a new text would hide that.
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
 * Uses the current copy, unless it is unusable or lost over 5 % of the last good one's merchants. `alarm`:
 * why the last good one is used and what to do, else `null`.
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
