import { describe, expect, it } from 'vitest';
import { boundedDifferences, MOST_MISSING_REFUNDS, COMPARISONS } from '#records/balance/comparisons.ts';
import type { FoundDifference } from '#records/balance/comparisons.ts';
import { largestObject } from '#records/storage/object-bounds.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const notFound = (id: number): FoundDifference => ({
  name: 'knownRefunds',
  what: `refund ${id}`,
  service: 'not found',
  rows: null,
});

describe('differences', () => {
  it('of one comparison are a hundred at most, and the last one says how many more there are; other comparisons keep theirs', () => {
    const other: FoundDifference = {
      name: 'uniqueInvoiceIds',
      what: 'unique invoice ids',
      service: 5,
      rows: 4,
    };
    const found = [...Array.from({ length: 5_000 }, (_, id) => notFound(id)), other];
    const bounded = boundedDifferences(found);
    expect(bounded).toHaveLength(101);
    expect(bounded.at(-1)).toEqual(other);
    expect(bounded[99]).toEqual({
      name: 'knownRefunds',
      what: 'more of the comparison knownRefunds',
      service: 4_901,
      rows: null,
    });
  });

  it('that are few stay unchanged, and an empty list stays empty', () => {
    const differences = fc.array(
      fc.record({
        name: fc.constantFrom(...COMPARISONS),
        what: fc.string(),
        service: fc.nat(),
        rows: fc.constant(null),
      }),
      { maxLength: 100 },
    );
    forAll([differences], (found) => {
      expect(new Set(boundedDifferences(found))).toEqual(new Set(found));
    });
  });
});

it('a manifest with the largest number of refund ids is still readable', () => {
  const missing = Array.from({ length: MOST_MISSING_REFUNDS }, () => '9'.repeat(30));
  const most = largestObject('days/day=2026-11-20/merchant=700001/r0001.json');
  expect(JSON.stringify(missing).length).toBeLessThan(most / 2);
});
