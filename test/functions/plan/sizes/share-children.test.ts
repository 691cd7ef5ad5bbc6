import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '#records/day/business-day.ts';
import type { PlanItem } from '#plan/plan-item.ts';
import { MOST_SHARED_DAYS, SHARED_BY } from '#plan/shared-child.ts';
import { inOrder } from '#functions/plan/sizes/in-order.ts';
import { shareChildren } from '#functions/plan/sizes/share-children.ts';
import { workOf } from '#functions/plan/sizes/work.ts';

const LARGE = 100_000;

function itemOf(index: number, days: number): PlanItem {
  return {
    merchantCode: String(700_001 + index),
    days: Array.from({ length: days }, (_, back) => addDays('2026-11-20', -back)),
    send: true,
    scheduledTime: '2026-11-21T03:00:00Z',
  };
}

/** A fleet: how many days each merchant has, and its size, if it is known. */
const fleets = fc.array(
  fc.record({
    days: fc.integer({ min: 1, max: 6 }),
    bytes: fc.option(
      fc.oneof(fc.integer({ min: 20, max: 20_000 }), fc.integer({ min: 20, max: 20_000_000 })),
      { nil: undefined },
    ),
  }),
  { minLength: 1, maxLength: 300 },
);
const places = fc.integer({ min: 1, max: 120 });

function planned(fleet: readonly { days: number; bytes: number | undefined }[]) {
  const items = fleet.map(({ days }, index) => itemOf(index, days));
  const sizes = new Map(
    items.flatMap(({ merchantCode }, index) => {
      const bytes = fleet[index]?.bytes;
      return bytes === undefined ? [] : [[merchantCode, bytes] as const];
    }),
  );
  return { items, sizes, ordered: inOrder(items, sizes, LARGE) };
}

describe('the order of the items', () => {
  it('is that of their work, the longest first, and nothing is lost', () => {
    fc.assert(
      fc.property(fleets, (fleet) => {
        const { items, sizes, ordered } = planned(fleet);
        const works = ordered.map((item) => workOf(item, sizes.get(item.merchantCode)));
        expect(works).toEqual(works.toSorted((one, other) => other - one));
        expect(ordered.map(({ large: _, ...item }) => item.merchantCode).sort()).toEqual(
          items.map(({ merchantCode }) => merchantCode).sort(),
        );
      }),
    );
  });

  it('stays that of the registry where sizes are equal or unknown', () => {
    const { items } = planned([1, 1, 1].map((days) => ({ days, bytes: undefined })));
    expect(inOrder(items, new Map(), LARGE)).toEqual(items);
  });

  it('marks the large ones, and an unknown size is not large', () => {
    const { ordered } = planned([
      { days: 1, bytes: undefined },
      { days: 1, bytes: LARGE },
      { days: 1, bytes: LARGE + 1 },
    ]);
    expect(Object.fromEntries(ordered.map(({ merchantCode, large }) => [merchantCode, large]))).toEqual({
      700001: undefined,
      700002: undefined,
      700003: true,
    });
  });
});

describe('the children', () => {
  it('have every item once, in order, at most as many calls at once as there are places', () => {
    fc.assert(
      fc.property(fleets, places, (fleet, atOnce) => {
        const { ordered, sizes } = planned(fleet);
        const { own, shared } = shareChildren(ordered, sizes, atOnce);
        const codes = new Set(shared.items.map(({ merchantCode }) => merchantCode));
        expect(own.items).toEqual(ordered.filter(({ merchantCode }) => !codes.has(merchantCode)));
        expect(shared.items).toEqual(ordered.filter(({ merchantCode }) => codes.has(merchantCode)));
        expect(own.places + SHARED_BY * shared.batches).toBeLessThanOrEqual(atOnce);
        if (own.items.length > 0) expect(own.places).toBeGreaterThan(0);
        if (shared.items.length > 0) expect(shared.batches).toBeGreaterThan(0);
      }),
    );
  });

  it('are shared only by merchants that are known to be small, and have few days', () => {
    fc.assert(
      fc.property(fleets, places, (fleet, atOnce) => {
        const { ordered, sizes } = planned(fleet);
        for (const item of shareChildren(ordered, sizes, atOnce).shared.items) {
          expect(item.days.length).toBeLessThanOrEqual(MOST_SHARED_DAYS);
          expect(sizes.get(item.merchantCode)).toBeLessThanOrEqual(100_000);
          expect(item.large).toBeUndefined();
        }
      }),
    );
  });

  it('of both kinds have about as much work for each place', () => {
    const fleet = Array.from({ length: 2_000 }, (_, index) => ({
      days: 4,
      bytes: index < 10 ? 1_000_000 : 1_000 + index,
    }));
    const { ordered, sizes } = planned(fleet);
    const { own, shared } = shareChildren(ordered, sizes, 50);
    const work = (items: readonly PlanItem[]) =>
      items.reduce((sum, item) => sum + workOf(item, sizes.get(item.merchantCode)), 0);
    const each = work(own.items) / own.places;
    expect(work(shared.items) / (shared.batches * SHARED_BY) / each).toBeCloseTo(1, 1);
    expect({ own: own.places, batches: shared.batches }).toEqual({ own: 5, batches: 9 });
  });

  it('are all shared when all are small and the places are a multiple of five', () => {
    const { ordered, sizes } = planned(Array.from({ length: 20 }, () => ({ days: 4, bytes: 3_000 })));
    expect(shareChildren(ordered, sizes, 50)).toEqual({
      own: { items: [], places: 0 },
      shared: { items: ordered, batches: 10 },
    });
  });

  it('are never shared with fewer than five places', () => {
    const { ordered, sizes } = planned(Array.from({ length: 20 }, () => ({ days: 4, bytes: 3_000 })));
    expect(shareChildren(ordered, sizes, 4)).toEqual({
      own: { items: ordered, places: 4 },
      shared: { items: [], batches: 0 },
    });
  });
});
