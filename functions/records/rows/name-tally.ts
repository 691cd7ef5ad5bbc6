/**
 * The most names that are kept. A service that invents a name for each record must not fill memory and
 * manifest.
 */
const MOST_NAMES = 100;
/** The most characters of a name that are kept. No useful field has a longer name. */
export const LONGEST_NAME = 200;

/** A name, cut to that length. */
export function shortName(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 1).toWellFormed()}…`;
}

/**
 * The service's names of unknown members, each with the name under which it is written: the first hundred,
 * and the number of others.
 */
export class BoundedNames extends Map<string, string> {
  /** How often a member came whose name is not kept. */
  others = 0;

  override set(name: string, written: string): this {
    if (this.size < MOST_NAMES || this.has(name)) return super.set(name, written);
    this.others += 1;
    return this;
  }
}

/** How often names came: the first hundred each, the others together. */
export class NameTally {
  readonly #counts = new Map<string, number>();
  #others = 0;

  /** Counts a name. */
  add(name: string, times = 1): void {
    const kept = shortName(name);
    const known = this.#counts.get(kept);
    if (known === undefined && this.#counts.size >= MOST_NAMES) this.#others += times;
    else this.#counts.set(kept, (known ?? 0) + times);
  }

  /** Adds the counts of another tally. */
  addAll(tally: NameTally): void {
    for (const [name, times] of tally.#counts) this.add(name, times);
    this.#others += tally.#others;
  }

  /** How often names came that are not kept. */
  get others(): number {
    return this.#others;
  }

  /** How often each kept name came, ordered by name. */
  counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }
}
