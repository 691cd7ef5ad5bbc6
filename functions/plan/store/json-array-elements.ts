export class NoJsonArray extends Error {}

const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT, COMMA, QUOTE, BACKSLASH] = Buffer.from('[]{},"\\');

class ElementScanner {
  #depth = 0;
  #inText = false;
  #escaped = false;
  #ended = false;
  #parts: Buffer[] = [];
  #length = 0;
  readonly #mostBytes: number;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  *read(chunk: Buffer): Generator<string> {
    let begin = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      if (!this.#isBoundary(chunk[index] ?? 0)) continue;
      this.#keep(chunk.subarray(begin, index));
      begin = index + 1;
      const text = Buffer.concat(this.#parts).toString('utf8');
      this.#parts = [];
      this.#length = 0;
      yield text;
    }
    this.#keep(chunk.subarray(begin));
  }

  assertEnded(): void {
    if (!this.#ended) throw new NoJsonArray('is cut off');
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#mostBytes)
      throw new NoJsonArray(`has an entry of more than ${this.#mostBytes} bytes`);
    if (part.length > 0) this.#parts.push(part);
  }

  #isBoundary(byte: number): boolean {
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inText = false;
      return false;
    }
    if (this.#depth === 0) return this.#isOuter(byte);
    if (byte === QUOTE) this.#inText = true;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.#depth += 1;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      this.#depth -= 1;
      if (this.#depth > 0) return false;
      if (byte !== CLOSE_ARRAY) throw new NoJsonArray('is not JSON');
      this.#ended = true;
      return true;
    }
    return byte === COMMA && this.#depth === 1;
  }

  #isOuter(byte: number): boolean {
    if (SPACE.has(byte)) return false;
    if (this.#ended || byte !== OPEN_ARRAY) throw new NoJsonArray('is not a JSON array');
    this.#depth = 1;
    return true;
  }
}

/**
 * Reads one element at a time, however long the array.
 * @throws {NoJsonArray} when it is none, is cut off, or has an element that is no JSON or above `mostBytes`
 */
export async function* jsonArrayElements(
  chunks: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator {
  const scanner = new ElementScanner(mostBytes);
  let place = 0;
  let isEmpty = false;
  for await (const chunk of chunks) {
    for (const text of scanner.read(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))) {
      // The first text comes before the array. An empty text is allowed only there, when the array has no
      // elements.
      if (isEmpty) throw new NoJsonArray('is not JSON');
      isEmpty = place === 1 && text.trim() === '';
      if (place > 0 && !isEmpty) yield parsed(text);
      place += 1;
    }
  }
  scanner.assertEnded();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NoJsonArray('is not JSON');
  }
}
