import { fieldPath } from '../json/schema-issue.ts';
import type { Problem } from './problem.ts';

/** The places at which each name or code is first, to find those that come again. */
export class FirstPlaces {
  readonly #list: string;
  readonly #places = new Map<string, number>();

  /** @param list the list in which the places are, such as `groups` */
  constructor(list: string) {
    this.#list = list;
  }

  /** What is wrong when it was there before. @param what what it is, such as `the name of` */
  look(name: string | null, index: number, member: string, what: string): Problem[] {
    if (name === null) return [];
    const first = this.#places.get(name);
    if (first === undefined) {
      this.#places.set(name, index);
      return [];
    }
    const reason = `is ${what} ${fieldPath([this.#list, first])}, too`;
    return [{ at: [this.#list, index, member], reason, value: name, candidates: [] }];
  }
}
