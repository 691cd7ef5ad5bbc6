import { integerText } from '../json/exact-json.ts';
import type { Integer } from '../json/exact-json.ts';

const SMALLEST = 1024;
/** The table grows when more than this share of it is full. A fuller table makes searching slow. */
const [MOST_IDS, OF_ROOM] = [2, 3];
export const FREE = Number.NaN;

/** Spreads neighbouring ids over a table (multiplicative hashing). @param mask the table's length less one */
function placeOfId(id: number, mask: number): number {
  const high = Math.imul(Math.floor(id / 0x1_0000_0000), 0x85eb_ca6b);
  const mixed = Math.imul((id | 0) ^ high, 0x9e37_79b1);
  return (mixed ^ (mixed >>> 15)) & mask;
}

/** Where the id is, or the first {@link FREE} place from its own on. `table`: a power of two long, with one free. */
export function placeIn(table: Float64Array, id: number): number {
  const mask = table.length - 1;
  for (let place = placeOfId(id, mask); ; place = (place + 1) & mask) {
    const there = table[place];
    if (there === id || there === undefined || Number.isNaN(there)) return place;
  }
}

/** An id takes eight bytes and some room; a `Set` takes 35, and 59 while it grows, and a day may have a million ids. */
export class IdSet {
  #table = new Float64Array(SMALLEST).fill(FREE);
  #small = 0;
  /** Ids beyond 2^53, as digits. No day has many. */
  readonly #large = new Set<string>();

  get size(): number {
    return this.#small + this.#large.size;
  }

  /** @returns whether the id is new */
  add(id: Integer): boolean {
    if (typeof id !== 'number') {
      const digits = integerText(id);
      return !this.#large.has(digits) && this.#large.add(digits).size > 0;
    }
    const place = placeIn(this.#table, id);
    if (this.#table[place] === id) return false;
    this.#table[place] = id;
    this.#small += 1;
    if (this.#small * OF_ROOM > this.#table.length * MOST_IDS) this.#grow();
    return true;
  }

  has(id: Integer): boolean {
    if (typeof id !== 'number') return this.#large.has(integerText(id));
    return this.#table[placeIn(this.#table, id)] === id;
  }

  #grow(): void {
    const larger = new Float64Array(this.#table.length * 2).fill(FREE);
    for (const id of this.#table) if (!Number.isNaN(id)) larger[placeIn(larger, id)] = id;
    this.#table = larger;
  }
}
