import type { BadDefault } from './defaults.ts';
import { MOST_OF_OWNER, rejectionsOf } from './problem.ts';
import type { Rejection } from './problem.ts';

const MOST_NAMED = 5;

export class Heirs {
  readonly #found = new Map<BadDefault, { count: number; names: string[] }>();
  readonly #one: string;
  readonly #many: string;

  constructor(one: string, many: string) {
    this.#one = one;
    this.#many = many;
  }

  /** @param name `null` when the heir has no usable one */
  note(bad: BadDefault, name: string | null): void {
    const heirs = this.#found.get(bad) ?? { count: 0, names: [] };
    heirs.count += 1;
    if (name !== null && heirs.names.length < MOST_NAMED) heirs.names.push(name);
    this.#found.set(bad, heirs);
  }

  rejections(): Rejection[] {
    return [...this.#found].flatMap(([bad, { count, names }]) => {
      const who = names.length === 0 ? '' : ` (${names.join(', ')}${count > names.length ? ', …' : ''})`;
      const spoils = `; ${count} ${count === 1 ? `${this.#one} inherits` : `${this.#many} inherit`} it${who}`;
      const at = ['defaults', bad.name, ...(bad.inner === undefined ? [] : [bad.inner])];
      return rejectionsOf(bad.problems, null, at, MOST_OF_OWNER).map(({ path, reason }) => {
        return { path, reason: `${reason}${spoils}` };
      });
    });
  }
}
