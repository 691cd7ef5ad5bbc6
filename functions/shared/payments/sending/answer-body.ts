const SMALLEST = 64 * 1024;

/** The bytes of an answer as they come. One buffer holds them: a service may send each byte as a chunk of its own. */
export class AnswerBody {
  #buffer: Buffer;
  #length = 0;

  /** @param stated bytes that the service says will come, or 0 */
  constructor(stated: number) {
    this.#buffer = Buffer.allocUnsafeSlow(stated > 0 ? stated : SMALLEST);
  }

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

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

  /** What came, there until more is added. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}
