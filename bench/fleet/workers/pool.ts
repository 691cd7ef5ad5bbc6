/** Lends things to those who want one. Who comes when none is idle waits in line. */
export class Pool<T> {
  readonly #idle: T[];
  readonly #wanting: ((one: T) => void)[] = [];

  constructor(all: readonly T[]) {
    this.#idle = [...all];
  }

  async use<R>(work: (one: T) => Promise<R>): Promise<R> {
    const one = this.#idle.pop() ?? (await new Promise<T>((free) => this.#wanting.push(free)));
    try {
      return await work(one);
    } finally {
      const next = this.#wanting.shift();
      if (next === undefined) this.#idle.push(one);
      else next(one);
    }
  }
}
