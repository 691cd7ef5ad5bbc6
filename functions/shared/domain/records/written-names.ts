function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The name without the `__2` behind it; `undefined` where there is no such number. */
function withoutNumber(column: string): string | undefined {
  let end = column.length;
  while (isDigit(column.charCodeAt(end - 1))) end -= 1;
  return end < column.length && column.endsWith('__', end) ? column.slice(0, end - 2) : undefined;
}

/**
 * The names of one object as they are written. Query engines lower-case names, and two that fall together break every
 * query over the file: the later one gets a number behind it.
 */
export class WrittenNames {
  /** Names that are taken, in lower case, each with the next number to try behind it: none is tried twice. */
  readonly #next = new Map<string, number>();
  /** Names that were sent with a number behind them, without it: only behind these a number may be taken already. */
  readonly #numbered = new Set<string>();

  /**
   * @param names all that {@link write} will get
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

  /** What the name is written as, from now on taken. */
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

  /** The smallest number from `next` on that no other name has, from now on taken. */
  #free(column: string, next: number): number {
    let number = next;
    while (this.#next.has(`${column}__${number}`)) number += 1;
    this.#next.set(`${column}__${number}`, 2);
    return number;
  }
}
