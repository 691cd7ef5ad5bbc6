import * as z from 'zod';
import { boundedJson } from '#records/json/own-json.ts';
import { findRepeatedNames, shownStep } from '#records/json/repeated-names.ts';
import type { JsonStep } from '#records/json/repeated-names.ts';
import { allIssues, fieldPath } from '#records/json/schema-issue.ts';
import { shownPath } from './problem.ts';
import type { Problem } from './problem.ts';
import { memoized } from './once.ts';
import { RegistryError } from './registry-errors.ts';
import { registrySchema, serviceSchema } from './registry-schema.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { isMembers } from '#records/json/exact-json.ts';

/** A symbol, because a text cannot have a member with that name. */
const KEPT_ENTRIES = Symbol('kept entries');

export type Registry = z.infer<typeof registrySchema> & {
  /** The place of the one entry that is used. See `withUsedEntries`. */
  readonly [KEPT_ENTRIES]?: ReadonlyMap<string, number>;
};

/** Keeps unknown members, so that `unknownMembers` can find them. */
const frameSchema = z.lazy(() =>
  registrySchema.unwrap().extend({ service: serviceSchema.unwrap().loose() }).loose(),
);

/** The most values of a registry. Ten thousand merchants with a hundred recipients each have a million. */
export const MOST_VALUES = 1_500_000;
/** Twice what functions are sized for: the watch looks up each entry, and must end in time. */
export const MOST_MERCHANTS = 20_000;

const MOST_LISTED = 10;

const MOST_REPEATED = 20;

/** One of the two values is lost. */
const repeatedNames = new WeakMap<object, (readonly JsonStep[])[]>();

/**
 * Repeated names make an entry or group unusable; elsewhere, as `merchants` itself, the first value would be
 * lost.
 * @throws {RegistryError} for one outside of entries and groups
 */
function noteRepeatedNames(text: string, { merchants, groups }: Registry): void {
  const owners: ReadonlyMap<unknown, readonly unknown[]> = new Map([
    ['merchants', merchants],
    ['groups', groups],
  ]);
  findRepeatedNames(text, (path) => {
    const [first, index, ...inner] = path;
    const list = owners.get(first);
    if (list === undefined || typeof index !== 'number') {
      const place = fieldPath(path.map(shownStep));
      throw new RegistryError(`the registry is not usable: ${place}: appears twice`);
    }
    const owner = list[index];
    if (typeof owner !== 'object' || owner === null) return true;
    const before = repeatedNames.get(owner);
    if (before === undefined) repeatedNames.set(owner, [inner]);
    else if (before.length < MOST_REPEATED) before.push(inner);
    return true;
  });
}

export function repeatedProblems(owner: unknown, at: readonly PropertyKey[]): Problem[] {
  const places = typeof owner === 'object' && owner !== null ? (repeatedNames.get(owner) ?? []) : [];
  return places.map((inner) => {
    return { at: [...at, ...inner], reason: 'appears twice', value: undefined, candidates: [] };
  });
}

/** Whether an entry or group repeats a name: a new text of the registry would not show it any more. */
export function hasRepeatedNames({ merchants, groups }: Registry): boolean {
  return [merchants, groups].some((owners) => owners.some((owner) => repeatedProblems(owner, []).length > 0));
}

/**
 * Reads the frame; `merchantSettings` reads entries, `groupSettings` groups.
 * @throws {RegistryError} when it is no JSON, nests too deep, has too many values or entries, a wrong
 * `service`, `merchants` or `groups`, or repeats a name outside of entries and groups
 */
export function parseRegistry(text: string): Registry {
  const read = boundedJson(text, MOST_VALUES);
  if ('reason' in read) throw new RegistryError(`the registry ${read.reason}`);
  const parsed = frameSchema.safeParse(read.json);
  if (!parsed.success) {
    const issues = allIssues(parsed.error).slice(0, MOST_LISTED);
    const listed = issues.map(({ at, reason }) => `${shownPath(at)}: ${reason}`);
    throw new RegistryError(`the registry is not usable: ${listed.join('; ')}`);
  }
  if (parsed.data.merchants.length > MOST_MERCHANTS) {
    throw new RegistryError(`the registry has more than ${MOST_MERCHANTS} entries`);
  }
  if (read.repeats) noteRepeatedNames(text, parsed.data);
  return parsed.data;
}

export function codeInEntry(entry: unknown): unknown {
  return isMembers(entry) ? entry.merchantCode : undefined;
}

export function usableCode(entry: unknown): string | null {
  const code = codeInEntry(entry);
  return typeof code === 'string' && MERCHANT_CODE.test(code) ? code : null;
}

/** Codes of all entries in their order, usable or not; what is no code is left out. */
export function codesInEntries({ merchants }: { readonly merchants: readonly unknown[] }): Set<string> {
  return new Set(merchants.map(usableCode).filter((code) => code !== null));
}

/** The places of all owners that have a name, by their names. */
export function placesOf(
  owners: readonly unknown[],
  nameOf: (owner: unknown) => unknown,
): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, owner] of owners.entries()) {
    const name = nameOf(owner);
    if (typeof name !== 'string') continue;
    const before = places.get(name);
    if (before === undefined) places.set(name, [index]);
    else before.push(index);
  }
  return places;
}

const places = new WeakMap<object, ReadonlyMap<string, readonly number[]>>();

/** The places of all merchants' entries, looked for once in a registry. */
export function placesOfCodes({ merchants }: Registry): ReadonlyMap<string, readonly number[]> {
  return memoized(places, merchants, () => placesOf(merchants, codeInEntry));
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
