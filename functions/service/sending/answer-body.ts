/**
 * Frees the memory of a buffer at once, if no other buffer shares it. Its bytes cannot be read afterwards. Otherwise it is free after the next
 * collection, and memory outside of V8's heap that waits for one makes V8 mark its whole heap (docs/adr/0028-one-way-for-a-row.md).
 */
export function freeMemory({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}

const UNSTATED = 64 * 1024;
const SMALLEST = 4 * 1024;
/** A larger buffer is not kept for the next answer. */
const MOST_KEPT_BYTES = 1024 * 1024;

const NOTHING = Buffer.alloc(0);

/**
 * Memory for the bodies of answers. What one answer gives back, the next one gets. Memory outside of V8's heap that nobody uses any more
 * makes V8 mark its whole heap, many times in one pull (docs/adr/0028-one-way-for-a-row.md).
 */
export class BodyMemory {
  readonly #free: Buffer[] = [];

  take(bytes: number): Buffer {
    const kept = this.#free.pop();
    if (kept !== undefined && kept.length >= bytes) return kept;
    // Rounded up, so that it is large enough for the next answers, which are hardly larger.
    return Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(Math.max(bytes, SMALLEST))));
  }

  /** Keeps a buffer that {@link BodyMemory.take} gave. Nobody may read it any more. */
  giveBack(buffer: Buffer): void {
    if (buffer.length <= MOST_KEPT_BYTES) this.#free.push(buffer);
    else freeMemory(buffer);
  }

  close(): void {
    for (const buffer of this.#free.splice(0)) freeMemory(buffer);
  }
}

/** The bytes of an answer, in one buffer: a service may send each byte as a chunk of its own. */
export class AnswerBody {
  readonly #memory: BodyMemory;
  #buffer: Buffer;
  #length = 0;

  constructor(stated: number, memory: BodyMemory) {
    this.#memory = memory;
    this.#buffer = memory.take(stated > 0 ? stated : UNSTATED);
  }

  get length(): number {
    return this.#length;
  }

  add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = this.#memory.take(Math.max(length, this.#buffer.length * 2));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#memory.giveBack(this.#buffer);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#length);
    freeMemory(chunk);
    this.#length = length;
  }

  /** Valid until more are added, and until they are given back. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Once. Nobody may read the bytes any more. */
  giveBack(): void {
    const buffer = this.#buffer;
    [this.#buffer, this.#length] = [NOTHING, 0];
    if (buffer !== NOTHING) this.#memory.giveBack(buffer);
  }
}
