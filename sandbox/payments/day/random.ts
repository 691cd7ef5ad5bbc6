import { createHash } from 'node:crypto';

/** A stream of values that only depends on its seed: the same on every machine and in every run. */
export interface Random {
  /** An integer from 0 up to but not including `limit`. */
  below(limit: number): number;
  /** True in `percent` of a hundred cases. */
  chance(percent: number): boolean;
  /** One item of a list, which must not be empty. */
  pick<T>(list: readonly T[]): T;
  /** `length` letters and digits. */
  characters(length: number): string;
  /** `length` decimal digits. The first is not zero. */
  digits(length: number): string;
}

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789';

/** Only integers and IEEE division. The last bits of logarithms and exponentials differ between engines. */
export function seededRandom(seed: string): Random {
  const words = createHash('sha256').update(seed, 'utf8').digest();
  let a = words.readInt32LE(0);
  let b = words.readInt32LE(4);
  let c = words.readInt32LE(8);
  let counter = 1;

  function next(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  const below = (limit: number): number => Math.floor((next() / 0x1_0000_0000) * limit);

  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: (list) => {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new RangeError('nothing to pick from');
      return picked;
    },
    characters: (length) => {
      let text = '';
      while (text.length < length) text += ALPHABET.charAt(below(ALPHABET.length));
      return text;
    },
    digits: (length) => {
      let text = String(1 + below(9));
      while (text.length < length) text += String(below(10));
      return text;
    },
  };
}
