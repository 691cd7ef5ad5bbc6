/**
 * Runs at most a given number of tasks at once. Other tasks wait, in order. `p-limit` makes several more promises for each task. It keeps waiting tasks in
 * a linked list whose removed nodes still point to the next one (docs/adr/0029-what-a-page-leaves-behind.md).
 */
export class Slots {
  /** The most tasks at once. It is read whenever a task begins or ends. */
  concurrency: number;
  #active = 0;
  readonly #waiting: (() => void)[] = [];

  /** @throws {RangeError} when no task could ever run */
  constructor(concurrency: number) {
    if (!(concurrency >= 1)) throw new RangeError(`${concurrency} tasks at once are none`);
    this.concurrency = concurrency;
  }

  /** How many tasks have begun and not ended. */
  get active(): number {
    return this.#active;
  }

  /** Waits for a free slot and runs a task in it. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    // If the number of slots has grown, tasks that already wait come first.
    this.#beginWaiting();
    if (this.#active < this.concurrency) this.#active += 1;
    // It counts as active before this resolves.
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
