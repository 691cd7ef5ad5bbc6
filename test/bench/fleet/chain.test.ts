import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longestChain } from '#bench/fleet/chain.ts';
import type { Interval } from '#bench/fleet/chain.ts';

/** Looks at every pair. */
function searchedChain(requests: readonly Interval[]): number {
  const depths: number[] = [];
  const inOrder = requests.toSorted((one, other) => one.from - other.from);
  for (const [index, { from }] of inOrder.entries()) {
    const before = inOrder.slice(0, index).map(({ to }, other) => (to <= from ? (depths[other] ?? 0) : 0));
    depths.push(1 + Math.max(0, ...before));
  }
  return Math.max(0, ...depths);
}

describe('the requests that wait for each other', () => {
  it('are the longest series in which each began after the one before had ended', () => {
    const requests = [
      { from: 0, to: 10 },
      { from: 0, to: 4 },
      { from: 5, to: 9 },
      { from: 9, to: 12 },
      { from: 11, to: 14 },
    ];
    expect(longestChain(requests)).toBe(3);
    expect(longestChain([])).toBe(0);
  });

  it('are those that a search of all pairs finds', () => {
    const interval = fc
      .tuple(fc.nat(30), fc.nat(10))
      .map(([from, length]): Interval => ({ from, to: from + length }));
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 40 }), (requests) => {
        expect(longestChain(requests)).toBe(searchedChain(requests));
      }),
    );
  });
});
