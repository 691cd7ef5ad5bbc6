import { integerText } from '../json/exact-json.ts';
import type { Integer } from '../json/exact-json.ts';

const SMALLEST = 1024;
/** Of ids and of room; more of it full makes searching long. */
const [MOST_IDS, OF_ROOM] = [2, 3];
/** No integer's own value, so it says that a place is free. */
const FREE = Number.NaN;

/** Spreads neighbouring ids over the table, whose length is a power of two (multiplicative hashing). */
function placeOf(id: number, mask: number): number {
  const high = Math.imul(Math.floor(id / 0x1_0000_0000), 0x85eb_ca6b);
  const mixed = Math.imul((id | 0) ^ high, 0x9e37_79b1);
  return (mixed ^ (mixed >>> 15)) & mask;
}

/**
 * The ids of a day, each once. Eight bytes an id and the room to find it, where a `Set` takes 35 and, while it grows, 59: a day may
 * have a million (docs/performance.md).
 */
export class IdSet {
  #table = new Float64Array(SMALLEST).fill(FREE);
  #small = 0;
  /** Ids beyond 2^53, by their digits; no day has many. */
  readonly #large = new Set<string>();

  /** How many ids there are. */
  get size(): number {
    return this.#small + this.#large.size;
  }

  /** @returns whether the id was not there */
  add(id: Integer): boolean {
    if (typeof id !== 'number') {
      const digits = integerText(id);
      return !this.#large.has(digits) && this.#large.add(digits).size > 0;
    }
    if (!insert(this.#table, id)) return false;
    this.#small += 1;
    if (this.#small * OF_ROOM > this.#table.length * MOST_IDS) this.#grow();
    return true;
  }

  #grow(): void {
    const larger = new Float64Array(this.#table.length * 2).fill(FREE);
    for (const id of this.#table) if (!Number.isNaN(id)) insert(larger, id);
    this.#table = larger;
  }
}

/** Puts the id into the first free place from its own on; `false` where it stands already. */
function insert(table: Float64Array, id: number): boolean {
  const mask = table.length - 1;
  for (let place = placeOf(id, mask); ; place = (place + 1) & mask) {
    const there = table[place];
    if (there === id) return false;
    if (there === undefined || Number.isNaN(there)) {
      table[place] = id;
      return true;
    }
  }
}
