import type { PageOwner } from '#records/storage/keys.ts';

/** `storedAt` is milliseconds UTC. */
export interface StoredRevision {
  owner: PageOwner;
  revision: number;
  storedAt: number;
}

/** Milliseconds UTC. A revision of 0 is none. */
export interface Newest {
  revision: number;
  storedAt: number;
}

const NONE: Newest = { revision: 0, storedAt: 0 };
const SECOND = 1_000;

/**
 * The newest revision of each owner. Merchants are kept by their places, in eight bytes each: a look has the
 * days of months for 20,000 merchants.
 */
export class NewestRevisions {
  readonly #places: ReadonlyMap<string, number>;
  readonly #revisions: Uint32Array;
  /** Seconds: a listing has no milliseconds. */
  readonly #storedAt: Uint32Array;
  readonly #groups = new Map<string, Newest>();

  constructor(places: ReadonlyMap<string, number>) {
    this.#places = places;
    this.#revisions = new Uint32Array(places.size);
    this.#storedAt = new Uint32Array(places.size);
  }

  add(stored: Iterable<StoredRevision>): this {
    for (const { owner, revision, storedAt } of stored) {
      if (owner.merchantCode === undefined) {
        if (revision > this.group(owner.group).revision)
          this.#groups.set(owner.group, { revision, storedAt });
        continue;
      }
      const place = this.#places.get(owner.merchantCode);
      if (place === undefined || revision <= (this.#revisions[place] ?? 0)) continue;
      this.#revisions[place] = revision;
      this.#storedAt[place] = Math.floor(storedAt / SECOND);
    }
    return this;
  }

  merchant(place: number): Newest {
    const revision = this.#revisions[place] ?? 0;
    return revision === 0 ? NONE : { revision, storedAt: (this.#storedAt[place] ?? 0) * SECOND };
  }

  group(name: string): Newest {
    return this.#groups.get(name) ?? NONE;
  }
}
