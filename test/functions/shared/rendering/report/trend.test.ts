import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INVOICE_STATES } from '#domain/figures/figures.ts';
import { segmentsOf } from '#rendering/report/trend.ts';

function percents(
  [paid, notPaid, cancelled, other]: readonly [number, number, number, number],
  most: number,
) {
  const counts = { total: paid + notPaid + cancelled + other, paid, notPaid, cancelled, other };
  return segmentsOf(counts, most).map(({ shade, percent }) => [shade, percent]);
}

describe('the segments of a bar', () => {
  it.each([
    [[999, 1, 0, 0], 1_000, { paid: 99, notPaid: 1 }],
    [[997, 1, 1, 1], 1_000, { paid: 97, notPaid: 1, cancelled: 1, other: 1 }],
    [[50, 25, 25, 0], 100, { paid: 50, notPaid: 25, cancelled: 25 }],
    [[1, 0, 0, 0], 1_000_000, { paid: 1 }],
    [[0, 0, 0, 0], 0, {}],
  ] as const)('%j of %i are %j', (counts, most, expected) => {
    expect(percents(counts, most)).toEqual(Object.entries(expected));
  });

  it('show every state that there is, and are no longer than the bar', () => {
    const count = fc.oneof(fc.nat(3), fc.nat(1_000_000));
    fc.assert(
      fc.property(
        fc.tuple(count, count, count, count),
        fc.integer({ min: 1, max: 1_000_000 }),
        (counts, most) => {
          const segments = percents(counts, most);
          expect(segments.map(([shade]) => shade)).toEqual(
            INVOICE_STATES.filter((_, index) => counts[index] !== 0),
          );
          const all = segments.map(([, percent]) => Number(percent));
          expect(Math.min(1, ...all)).toBe(1);
          expect(all.reduce((sum, percent) => sum + percent, 0)).toBeLessThanOrEqual(100);
        },
      ),
    );
  });
});
