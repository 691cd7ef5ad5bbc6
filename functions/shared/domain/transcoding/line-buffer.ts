import { freeMemory } from './free-memory.ts';

/** The most bytes of UTF-8 for one unit of a string. */
const MOST_BYTES_A_UNIT = 3;

/** Bytes of lines that grow at their end. Only {@link LineBuffer.bytes} itself may refer to them: they are freed when they grow. */
export class LineBuffer {
  /** Only the first {@link LineBuffer.used} bytes are lines. Another buffer after each {@link LineBuffer.reserve}. */
  bytes: Buffer = Buffer.alloc(0);
  /** The number of bytes so far. */
  used = 0;

  /** Makes room for so many further bytes. */
  reserve(more: number): void {
    const least = this.used + more;
    if (least <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(least, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.used);
    freeMemory(this.bytes);
    this.bytes = larger;
  }

  /**
   * Adds a text.
   *
   * @param more bytes for which there is still room afterwards
   */
  write(text: string, more: number): void {
    this.reserve(text.length * MOST_BYTES_A_UNIT + more);
    this.used += this.bytes.write(text, this.used);
  }

  /** Adds one byte. There must be room. */
  put(byte: number): void {
    this.bytes[this.used] = byte;
    this.used += 1;
  }

  /** Adds the bytes of another buffer from `start` to `end`. There must be room. */
  copy(source: Buffer, start = 0, end = source.length): void {
    source.copy(this.bytes, this.used, start, end);
    this.used += end - start;
  }
}
