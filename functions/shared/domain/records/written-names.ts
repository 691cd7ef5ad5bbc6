function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The name without its `__2`, `undefined` when it has no such number. */
function withoutNumber(column: string): string | undefined {
  let end = column.length;
  while (isDigit(column.charCodeAt(end - 1))) end -= 1;
  return end < column.length && column.endsWith('__', end) ? column.slice(0, end - 2) : undefined;
}

/**
 * The names of one object as they are written. Query engines turn names into lower case, and two names that
 * then are equal break every query on the file. So the later one gets a number at its end.
 */
export class WrittenNames {
  /** The taken names, in lower case, each with the next number to try. So no number is tried twice. */
  readonly #next = new Map<string, number>();
  /**
   * The names that were sent with a number, without it: only for these names a number may be taken already.
   */
  readonly #numbered = new Set<string>();

  /**
   * @param names all names that {@link write} will get
   * @param taken in lower case
   */
  constructor(names: Iterable<string>, taken: Iterable<string> = []) {
    for (const column of taken) {
      this.#next.set(column, 2);
      this.#addNumbered(column);
    }
    for (const name of names) this.#addNumbered(name);
  }

  #addNumbered(name: string): void {
    if (isDigit(name.charCodeAt(name.length - 1))) {
      const column = withoutNumber(name.toLowerCase());
      if (column !== undefined) this.#numbered.add(column);
    }
  }

  /** The name to write. It is taken from now on. */
  write(name: string): string {
    const column = name.toLowerCase();
    const next = this.#next.get(column);
    if (next === undefined) {
      this.#next.set(column, 2);
      return name;
    }
    const number = this.#numbered.has(column) ? this.#free(column, next) : next;
    this.#next.set(column, number + 1);
    return `${name}__${number}`;
  }

  /** The smallest free number from `next` on. It is taken from now on. */
  #free(column: string, next: number): number {
    let number = next;
    while (this.#next.has(`${column}__${number}`)) number += 1;
    this.#next.set(`${column}__${number}`, 2);
    return number;
  }
}
