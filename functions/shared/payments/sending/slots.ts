/**
 * Lets a number of tasks run at once. The others wait for their turn, in order. A pull has thousands of tasks. With `p-limit` each one costs several
 * promises more, and what waits stands in a linked list, in which ended tasks stay (docs/adr/0029-what-a-page-leaves-behind.md).
 */
export class Slots {
  /** The most tasks at once. Read whenever a task may begin. */
  concurrency: number;
  #active = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(concurrency: number) {
    this.concurrency = concurrency;
  }

  /** How many tasks have begun and not ended. */
  get active(): number {
    return this.#active;
  }

  /** Waits for a free slot and runs a task in it. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    // More slots since then are first of all for those that wait already.
    this.#beginWaiting();
    if (this.#active < this.concurrency) this.#active += 1;
    // Whoever resolves this has taken the slot for it.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      this.#active -= 1;
      this.#beginWaiting();
    }
  }

  #beginWaiting(): void {
    while (this.#active < this.concurrency) {
      const begin = this.#waiting.shift();
      if (begin === undefined) return;
      this.#active += 1;
      begin();
    }
  }
}
