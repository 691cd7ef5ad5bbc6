import type { TextPlace } from '#domain/json/json-fault.ts';

/** The lines of a text. Finding a place in it takes the logarithm of their number. */
export class TextLines {
  /** Where each line begins. */
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) this.#starts.push(index + end.length);
  }

  placeAt(offset: number): TextPlace {
    let [first, last] = [0, this.#starts.length - 1];
    while (first < last) {
      const middle = Math.ceil((first + last) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) first = middle;
      else last = middle - 1;
    }
    return { line: first + 1, column: offset - (this.#starts[first] ?? 0) + 1 };
  }
}
