import * as z from 'zod';
import { boundedJson } from '../json/bounded-json.ts';
import { findRepeatedNames, shownStep } from '../json/repeated-names.ts';
import { fieldPath, firstIssue } from '../json/schema-issue.ts';
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
const MOST_VALUES = 1_500_000;
/** Twice what functions are sized for: the watch looks up each entry, and must end in time. */
const MOST_MERCHANTS = 20_000;

/**
 * Entries in which a name appears twice, with the path of the first such name. One of its two values is lost.
 */
const repeatedNames = new WeakMap<object, string>();

/**
 * Looks for names that appear twice. Inside an entry they make that entry unusable. Elsewhere, such as
 * `merchants` itself, they would drop the first value.
 *
 * @throws {RegistryError} for one outside of the entries
 */
function noteRepeatedNames(text: string, { merchants }: Registry): void {
  findRepeatedNames(text, (path) => {
    const [first, index, ...inner] = path;
    const place = fieldPath(path.map(shownStep));
    if (first !== 'merchants' || typeof index !== 'number') {
      throw new RegistryError(`the registry is not usable: ${place}: appears twice`);
    }
    const entry = merchants[index];
    const isFirst = typeof entry === 'object' && entry !== null && !repeatedNames.has(entry);
    if (isFirst) repeatedNames.set(entry, fieldPath(inner.map(shownStep)));
    return true;
  });
}

/** The first name that appears twice in an entry, `undefined` when there is none. */
export function repeatedNameOf(entry: unknown): string | undefined {
  return typeof entry === 'object' && entry !== null ? repeatedNames.get(entry) : undefined;
}

/** Whether a name appears twice in any entry. A new text of such a registry would not show it any more. */
export function hasRepeatedNames(registry: Registry): boolean {
  return registry.merchants.some((entry) => repeatedNameOf(entry) !== undefined);
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
    const issue = firstIssue(parsed.error);
    throw new RegistryError(`the registry is not usable: ${issue.path}: ${issue.reason}`);
  }
  if (parsed.data.merchants.length > MOST_MERCHANTS) {
    throw new RegistryError(`the registry has more than ${MOST_MERCHANTS} entries`);
  }
  if (read.repeats) noteRepeatedNames(text, parsed.data);
  return parsed.data;
}
