import type { Attempt } from './attempt.ts';

/**
 * The attempts that are under way, to give all of them up at once. The place of an ended attempt is used again.
 *
 * A removed listener of an AbortSignal, and an old table of a Set, still point to the one that followed. Because of this, V8 would keep the answer of each
 * request until it marks its whole heap (docs/adr/0029-what-a-page-leaves-behind.md).
 */
export class Attempts {
  readonly #places: (Attempt | undefined)[] = [];

  /** Adds an attempt. @returns its place */
  add(attempt: Attempt): number {
    const free = this.#places.indexOf(undefined);
    const place = free === -1 ? this.#places.length : free;
    this.#places[place] = attempt;
    return place;
  }

  /** Forgets the attempt in a place. */
  remove(place: number): void {
    this.#places[place] = undefined;
  }

  /** Gives up every attempt that is under way. */
  giveUp(): void {
    for (const attempt of this.#places) attempt?.giveUp();
  }
}
