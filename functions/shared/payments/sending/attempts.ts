import type { Attempt } from './attempt.ts';

/**
 * The attempts that are under way, to give all of them up at once. An ended attempt leaves nothing behind: its place is used again.
 *
 * Neither a Set nor the listeners of an AbortSignal do: each ended one still points to the next one. As soon as one of them is in the old part of
 * V8's heap, all later ones follow it there, with all that they hold, until V8 marks its whole heap.
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
