export class FirstFew<Item> {
  readonly #most: number;
  readonly #compare: (one: Item, other: Item) => number;
  readonly #few: Item[] = [];

  constructor(most: number, compare: (one: Item, other: Item) => number) {
    this.#most = most;
    this.#compare = compare;
  }

  add(item: Item): void {
    const last = this.#few[this.#most - 1];
    if (last !== undefined && this.#compare(last, item) <= 0) return;
    this.#few.push(item);
    this.#few.sort(this.#compare);
    this.#few.splice(this.#most);
  }

  items(): readonly Item[] {
    return this.#few;
  }
}
