import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineThrough } from '#bench/fleet/assess.ts';
import { listSchedule } from '#bench/fleet/schedule.ts';

describe('the schedule of a fleet', () => {
  it('gives the next merchant to the place that is free first', () => {
    expect(listSchedule([3, 1, 1, 1, 4], 2)).toEqual({ total: 7, longest: 4, busy: 10 / 14 });
  });

  it('is empty when there are no merchants', () => {
    expect(listSchedule([], 50)).toEqual({ total: 0, longest: 0, busy: 0 });
  });

  it('agrees with a plain search for the first free place, and is never shorter than the longest merchant or the average', () => {
    const durations = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(durations, fc.integer({ min: 1, max: 12 }), (all, places) => {
        let free = new Array<number>(places).fill(0);
        for (const one of all) {
          const first = free.indexOf(Math.min(...free));
          free = free.map((time, place) => (place === first ? time + one : time));
        }
        const { total, longest } = listSchedule(all, places);
        const sum = all.reduce((a, b) => a + b, 0);
        expect(total).toBe(Math.max(...free));
        expect(total).toBeGreaterThanOrEqual(Math.max(longest, sum / places));
      }),
    );
  });
});

describe('what a day and a row cost', () => {
  it('are found again when the amounts lie on a line', () => {
    const points = [0, 0, 10, 40, 100_000].map((rows) => ({ rows, amount: 50 + 0.2 * rows }));
    const { fixed, perRow } = lineThrough(points);
    expect(fixed).toBe(50);
    expect(perRow).toBeCloseTo(0.2);
  });

  it('are found for no days and for a day without rows', () => {
    expect(lineThrough([])).toEqual({ fixed: 0, perRow: 0 });
    expect(lineThrough([{ rows: 0, amount: 7 }])).toEqual({ fixed: 7, perRow: 0 });
  });
});
