import { nearestText } from '../stage/nearest-text.ts';

/** Finds suggestions, each once: ten thousand entries may have the same mistake. */
export class Suggestions {
  readonly #known = new Map<readonly string[], Map<string, string | undefined>>();

  /** The allowed name that may have been meant, `undefined` when none is near. */
  find(given: string, candidates: readonly string[]): string | undefined {
    if (candidates.length === 0) return undefined;
    const known = this.#known.get(candidates) ?? new Map<string, string | undefined>();
    this.#known.set(candidates, known);
    if (!known.has(given)) known.set(given, nearestText(given, candidates));
    return known.get(given);
  }
}
