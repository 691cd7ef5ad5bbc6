import { seededRandom, type Random } from '#sandbox/payments/day/random.ts';

/** Each thing has its own stream of random numbers, found by name: they do not depend on what happened before. */
export class Draws {
  readonly #seed: string;
  readonly #times = new Map<string, number>();

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** The stream of a thing. It is the same whenever it is asked for. */
  of(...names: readonly (string | number)[]): Random {
    return seededRandom([this.#seed, ...names].join(' '));
  }

  /** The stream of the next one of several things with the same name. */
  next(...names: readonly (string | number)[]): Random {
    const name = names.join(' ');
    const times = (this.#times.get(name) ?? 0) + 1;
    this.#times.set(name, times);
    return this.of(...names, times);
  }
}

/** The same list in random order. */
export function shuffled<T>(random: Random, list: readonly T[]): T[] {
  return list
    .map((item) => ({ item, place: random.below(1_000_000) }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
