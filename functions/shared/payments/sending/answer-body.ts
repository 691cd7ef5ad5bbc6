const SMALLEST = 64 * 1024;

/**
 * Collects the bytes of an answer. One buffer holds them, because a service may send each byte as a chunk of
 * its own.
 */
export class AnswerBody {
  #buffer: Buffer;
  #length = 0;

  /** @param stated bytes that the service announces, or 0 */
  constructor(stated: number) {
    this.#buffer = Buffer.allocUnsafeSlow(stated > 0 ? stated : SMALLEST);
  }

  /** The number of bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** Adds a chunk of the answer. */
  add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#buffer.length * 2));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#length);
    this.#length = length;
  }

  /** The bytes so far. Valid until more are added. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}
