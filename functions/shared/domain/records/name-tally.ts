/** Names that are remembered; a service that makes a new one for each record must not fill memory and manifest. */
const MOST_NAMES = 100;
/** Characters of a name that are kept: no field that anybody means to use has a longer one. */
export const LONGEST_NAME = 200;

/** A name as it is remembered. */
export function shortName(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 1).toWellFormed()}…`;
}

/** The service's names of unknown members, each with what it is written as: the first hundred, and how many more. */
export class BoundedNames extends Map<string, string> {
  /** How often a member came whose name is not among those kept. */
  others = 0;

  override set(name: string, written: string): this {
    if (this.size < MOST_NAMES || this.has(name)) return super.set(name, written);
    this.others += 1;
    return this;
  }
}

/** How often names came: the first hundred each, the rest together. */
export class NameTally {
  readonly #counts = new Map<string, number>();
  #others = 0;

  add(name: string, times = 1): void {
    const kept = shortName(name);
    const known = this.#counts.get(kept);
    if (known === undefined && this.#counts.size >= MOST_NAMES) this.#others += times;
    else this.#counts.set(kept, (known ?? 0) + times);
  }

  addAll(tally: NameTally): void {
    for (const [name, times] of tally.#counts) this.add(name, times);
    this.#others += tally.#others;
  }

  /** How often names came that are not among those kept. */
  get others(): number {
    return this.#others;
  }

  /** How often each kept name came, in the order of the names. */
  counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }
}
