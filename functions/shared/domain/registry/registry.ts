import * as z from 'zod';
import { boundedJson } from '../json/bounded-json.ts';
import { findRepeatedNames, shownStep } from '../json/repeated-names.ts';
import { fieldPath, firstIssue } from '../json/schema-issue.ts';
import { RegistryError } from './registry-errors.ts';
import { registrySchema, serviceSchema } from './registry-schema.ts';

/** Of codes that stand there more than once, the entries that serve. A symbol: no text of a registry can have a member of that name. */
export const KEPT_ENTRIES = Symbol('kept entries');

/** A registry whose frame was read; its merchants are read one by one. */
export type Registry = z.infer<typeof registrySchema> & {
  /** Of codes that stand there more than once: the place of the one entry that serves. See `keeping`. */
  readonly [KEPT_ENTRIES]?: ReadonlyMap<string, number>;
};

/** Keeps members that are not known here, for `unknownMembers` to find. */
const frameSchema = z.lazy(() =>
  registrySchema.unwrap().extend({ service: serviceSchema.unwrap().loose() }).loose(),
);

/** Values of a registry: ten thousand merchants with a hundred recipients each have a million. */
const MOST_VALUES = 1_500_000;
/** Twice what functions are sized for: the watch looks up each entry, and must come to its end. */
const MOST_MERCHANTS = 20_000;

/** Entries in which a name stands twice, with the place of the first: one of its two values is lost. */
const repeatedNames = new WeakMap<object, string>();

/**
 * Looks for names that stand twice. One of an entry spoils that entry; any other, such as `merchants` itself, would drop
 * what stood under it first.
 *
 * @throws {RegistryError} for one outside of the entries
 */
function noteRepeatedNames(text: string, { merchants }: Registry): void {
  findRepeatedNames(text, (path) => {
    const [first, index, ...inner] = path;
    const place = fieldPath(path.map(shownStep));
    if (first !== 'merchants' || typeof index !== 'number') {
      throw new RegistryError(`the registry is not usable: ${place}: stands there twice`);
    }
    const entry = merchants[index];
    const isFirst = typeof entry === 'object' && entry !== null && !repeatedNames.has(entry);
    if (isFirst) repeatedNames.set(entry, fieldPath(inner.map(shownStep)));
    return true;
  });
}

/** The first name that stands twice in an entry, `undefined` where none does. */
export function repeatedNameOf(entry: unknown): string | undefined {
  return typeof entry === 'object' && entry !== null ? repeatedNames.get(entry) : undefined;
}

/** Whether a name stands twice in any entry. What is written anew of such a one no longer says so. */
export function hasRepeatedNames(registry: Registry): boolean {
  return registry.merchants.some((entry) => repeatedNameOf(entry) !== undefined);
}

/**
 * Reads the frame of a registry; entries are looked at by `merchantSettings`.
 *
 * @throws {RegistryError} when it is not JSON, nests or holds more than a registry could need, has too many entries, `service` or
 *   `merchants` is not what it must be, or a name stands twice outside of the entries
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
