/** The bytes of answers by key. The oldest are removed when all together exceed `capacity` bytes. */
export class PageCache {
  readonly #capacity: number;
  readonly #pages = new Map<string, Buffer>();
  #bytes = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The bytes of this key. They are made if they are missing. */
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
