import { createHash, hash } from 'node:crypto';

const WORDS = 8;

/**
 * A digest of a set of rows that does not depend on their order: the sum of each row's SHA-256, modulo 2^256.
 * Removing, adding or changing a row changes it.
 */
export class RowDigest {
  readonly #sum = new Uint32Array(WORDS);
  #rows = 0;

  /** @param row the row's canonical JSON; bytes are its UTF-8 */
  add(row: string | Uint8Array): void {
    const digest = hash('sha256', row, 'buffer');
    let carry = 0;
    for (let word = WORDS - 1; word >= 0; word -= 1) {
      const sum = (this.#sum[word] ?? 0) + digest.readUInt32BE(word * 4) + carry;
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
