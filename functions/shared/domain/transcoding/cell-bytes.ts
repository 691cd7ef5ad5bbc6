import { BYTE } from './json-bytes.ts';

/** The first byte of U+E000, which a cell does not keep. Texts with such a byte are rare. */
const FIRST_OF_PRIVATE_USE = 0xee;
const NOT_USUAL: readonly number[] = [BYTE.quote, BYTE.comma, BYTE.backslash, FIRST_OF_PRIVATE_USE];
/** Controls are below it. */
const FIRST_CHARACTER = 0x20;
/** More than any record of the contract has. */
const MOST_CELLS = 100;

/** By byte: 1 for bytes of a string that stand in a cell of CSV as they stand in JSON. */
export const USUAL = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= FIRST_CHARACTER && !NOT_USUAL.includes(byte) ? 1 : 0,
);

/** The most bytes that the cells of so many bytes of a record can take: each quote may become two, and each cell gets two and a comma. */
export function roomFor(bytes: number): number {
  return 2 * bytes + 3 * MOST_CELLS;
}
