import { distance } from 'fastest-levenshtein';

/** Longer names are not misspelt: they are something else. UTF-16 units. */
const LONGEST = 64;

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[ _-]/g, '');
}

/**
 * The name that may have been meant: the nearest one, if at most a third of its letters differ.
 *
 * @param candidates the names that are allowed
 */
export function suggestionFor(given: string, candidates: readonly string[]): string | undefined {
  if (given === '' || given.length > LONGEST) return undefined;
  const wanted = plain(given);
  let [nearest, least]: [string | undefined, number] = [undefined, Infinity];
  for (const candidate of candidates) {
    const differing = distance(wanted, plain(candidate));
    if (differing < least) [nearest, least] = [candidate, differing];
  }
  if (nearest === undefined || nearest === given) return undefined;
  return least <= Math.max(1, Math.floor(nearest.length / 3)) ? nearest : undefined;
}

/** Finds suggestions, each once: ten thousand entries may have the same mistake. */
export class Suggestions {
  readonly #known = new Map<readonly string[], Map<string, string | undefined>>();

  find(given: string, candidates: readonly string[]): string | undefined {
    if (candidates.length === 0) return undefined;
    const known = this.#known.get(candidates) ?? new Map<string, string | undefined>();
    this.#known.set(candidates, known);
    if (!known.has(given)) known.set(given, suggestionFor(given, candidates));
    return known.get(given);
  }
}
