import { createHash, hash } from 'node:crypto';

const WORDS = 8;

/** Four bytes, the highest first. */
function wordAt(bytes: string, at: number): number {
  const high = (bytes.charCodeAt(at) << 8) | bytes.charCodeAt(at + 1);
  const low = (bytes.charCodeAt(at + 2) << 8) | bytes.charCodeAt(at + 3);
  return high * 0x1_00_00 + low;
}

/** Independent of the rows' order: the sum of each row's SHA-256, modulo 2^256. Any change of the rows changes it. */
export class RowDigest {
  readonly #sum = new Uint32Array(WORDS);
  #rows = 0;

  /** @param row the row's canonical JSON; bytes are its UTF-8 */
  add(row: string | Uint8Array): void {
    // A string of bytes: a buffer for each row is memory outside of V8's heap, and takes half as long again.
    const digest = hash('sha256', row, 'binary');
    let carry = 0;
    for (let word = WORDS - 1; word >= 0; word -= 1) {
      const sum = (this.#sum[word] ?? 0) + wordAt(digest, word * 4) + carry;
      this.#sum[word] = sum;
      carry = sum > 0xff_ff_ff_ff ? 1 : 0;
    }
    this.#rows += 1;
  }

  /** The number of rows and their sum, as text. */
  value(): string {
    return `${this.#rows}:${[...this.#sum].map((word) => word.toString(16).padStart(8, '0')).join('')}`;
  }
}

/** The digest of a revision (SHA-256, hex), from those of its tables in their fixed order. */
export function revisionDigest(tables: readonly RowDigest[]): string {
  return createHash('sha256')
    .update(tables.map((table) => table.value()).join('\n'))
    .digest('hex');
}
