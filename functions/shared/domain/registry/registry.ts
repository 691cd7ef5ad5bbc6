import * as z from 'zod';
import { boundedJson } from '../json/bounded-json.ts';
import { findRepeatedNames, shownStep } from '../json/repeated-names.ts';
import type { JsonStep } from '../json/repeated-names.ts';
import { allIssues, fieldPath } from '../json/schema-issue.ts';
import { shownPath } from './problem.ts';
import { RegistryError } from './registry-errors.ts';
import { registrySchema, serviceSchema } from './registry-schema.ts';

/**
 * The entries that are used for codes that appear more than once. A symbol, because a text cannot have a
 * member with that name.
 */
export const KEPT_ENTRIES = Symbol('kept entries');

/** A registry whose frame was read. Its merchants are read one by one. */
export type Registry = z.infer<typeof registrySchema> & {
  /** For codes that appear more than once: the place of the one entry that is used. See `withUsedEntries`. */
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

/** The most problems of the frame that an error lists. */
const MOST_LISTED = 10;

/** The most repeated names that are remembered of one entry. */
const MOST_REPEATED = 20;

/**
 * Entries in which a name appears twice, with the places of such names in the entry. One of the two values is
 * lost.
 */
const repeatedNames = new WeakMap<object, (readonly JsonStep[])[]>();

/**
 * Looks for names that appear twice. Inside an entry they make that entry unusable. Elsewhere, such as
 * `merchants` itself, they would drop the first value.
 *
 * @throws {RegistryError} for one outside of the entries
 */
function noteRepeatedNames(text: string, { merchants }: Registry): void {
  findRepeatedNames(text, (path) => {
    const [first, index, ...inner] = path;
    if (first !== 'merchants' || typeof index !== 'number') {
      const place = fieldPath(path.map(shownStep));
      throw new RegistryError(`the registry is not usable: ${place}: appears twice`);
    }
    const entry = merchants[index];
    if (typeof entry !== 'object' || entry === null) return true;
    const before = repeatedNames.get(entry);
    if (before === undefined) repeatedNames.set(entry, [inner]);
    else if (before.length < MOST_REPEATED) before.push(inner);
    return true;
  });
}

/** The places of names that appear twice in an entry, twenty at most. */
export function repeatedNamesOf(entry: unknown): readonly (readonly JsonStep[])[] {
  return typeof entry === 'object' && entry !== null ? (repeatedNames.get(entry) ?? []) : [];
}

/** Whether a name appears twice in any entry. A new text of such a registry would not show it any more. */
export function hasRepeatedNames(registry: Registry): boolean {
  return registry.merchants.some((entry) => repeatedNamesOf(entry).length > 0);
}

/**
 * Reads the frame of a registry. `merchantSettings` reads the entries.
 *
 * @throws {RegistryError} when it is not JSON, nests too deep, has too many values or entries, when `service`
 * or `merchants` is wrong, or when a name appears twice outside of the entries
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
