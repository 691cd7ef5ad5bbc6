import { freeMemory } from './free-memory.ts';
import { LineBuffer } from './line-buffer.ts';

/** Larger lines are not kept for the next page. */
const MOST_KEPT_BYTES = 1024 * 1024;

/** The memory of lines, which pages use one after another. */
interface Memory {
  json: LineBuffer;
  csv: LineBuffer;
}

/**
 * Memory for the lines of pages. What a page gives back, the next page gets: memory outside of V8's heap that nobody can use again
 * makes V8 mark its whole heap, many times in one pull.
 */
export class LineMemory {
  readonly #free: Memory[] = [];

  /** Lines for one page, empty. */
  newPage(): PageLines {
    const { json, csv } = this.#free.pop() ?? { json: new LineBuffer(), csv: new LineBuffer() };
    [json.used, csv.used] = [0, 0];
    return new PageLines({ json, csv }, this.#free);
  }

  /** Frees what it keeps. */
  close(): void {
    for (const memory of this.#free.splice(0)) free(memory);
  }
}

function free({ json, csv }: Memory): void {
  freeMemory(json.bytes);
  freeMemory(csv.bytes);
}

/** The lines of one page in both formats. */
export class PageLines {
  #memory: Memory | undefined;
  readonly #free: Memory[];

  /** @param free gets the memory when the page gives it back */
  constructor(memory: Memory, free: Memory[]) {
    this.#memory = memory;
    this.#free = free;
  }

  /** The lines in one format. @throws {Error} after {@link PageLines.giveBack}: they are another page's then */
  of(format: 'json' | 'csv'): LineBuffer {
    if (this.#memory === undefined) throw new Error('the lines of this page were given back');
    return this.#memory[format];
  }

  /** Gives the memory to the next page. Nobody can read these lines any more. */
  giveBack(): void {
    const memory = this.#memory;
    this.#memory = undefined;
    if (memory === undefined) return;
    const isLarge = Math.max(memory.json.bytes.length, memory.csv.bytes.length) > MOST_KEPT_BYTES;
    if (isLarge) free(memory);
    else this.#free.push(memory);
  }
}
