import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { timeToGo } from '#bin/daybook/backfill/follow-backfill.ts';

const MINUTE = 60_000;

it.each([
  [0, 10, MINUTE, undefined],
  [10, 10, MINUTE, undefined],
  [5, 10, MINUTE, 'about 1 min to go'],
  [1, 10, MINUTE, 'about 9 min to go'],
  [1, 100, 2 * MINUTE, 'about 3 h 18 min to go'],
  [9, 10, 30_000, 'less than a minute to go'],
])('%d of %d in %d ms: %s', (done, total, elapsed, words) => {
  expect(timeToGo(done, total, elapsed)).toBe(words);
});

it('never gives a negative or an endless time', () => {
  fc.assert(
    fc.property(
      fc.nat(10_000),
      fc.nat(10_000),
      fc.integer({ min: -1_000, max: 1e9 }),
      (done, total, elapsed) => {
        expect(timeToGo(done, total, elapsed) ?? '').not.toMatch(/-|NaN|Infinity/);
      },
    ),
  );
});
