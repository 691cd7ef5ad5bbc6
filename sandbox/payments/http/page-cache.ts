/** Answers' bytes by key; the oldest go when there are more than `capacity` bytes of them. */
export class PageCache {
  readonly #capacity: number;
  readonly #pages = new Map<string, Buffer>();
  #bytes = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The bytes under this key, made if they are not there. */
  get(key: string, make: () => string): Buffer {
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    const page = Buffer.from(make(), 'utf8');
    this.#pages.set(key, page);
    this.#bytes += page.length;
    for (const [oldest, { length }] of this.#pages) {
      if (this.#bytes <= this.#capacity) break;
      this.#pages.delete(oldest);
      this.#bytes -= length;
    }
    return page;
  }
}
