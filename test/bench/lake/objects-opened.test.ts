import { describe, expect, it } from 'vitest';
import { objectsOfMonth } from '#bench/lake/tables.ts';

const LARGE = { merchants: 10_000, buckets: 16, lookback: 3, bytes: 6_000_000_000 };

describe('the objects that a question about a month opens', () => {
  it('are at most 2,000 for ten thousand merchants, even if nothing is optimised for a month', () => {
    expect(objectsOfMonth({ ...LARGE, merges: 1 })).toBe(16 * 3 + 6);
    expect(objectsOfMonth({ ...LARGE, merges: 7 })).toBe(16 * 26 + 18);
    expect(objectsOfMonth({ ...LARGE, merges: 29 })).toBeLessThanOrEqual(2_000);
  });

  it('do not grow with the merchants until files have their target size', () => {
    const optimised = (merchants: number, bytes: number) =>
      objectsOfMonth({ ...LARGE, merchants, bytes, merges: 0 });
    expect(optimised(300, 180_000_000)).toBe(20);
    expect(optimised(10_000, 6_000_000_000)).toBe(20);
    expect(optimised(100_000, 60_000_000_000)).toBe(16 * 8 + 4);
    // Fewer merchants than buckets leave buckets empty.
    expect(optimised(5, 1_000_000)).toBe(9);
  });
});
