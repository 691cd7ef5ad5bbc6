import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '#records/day/business-day.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { againstDayBefore, againstWeekday } from '#page/rendering/invoices-section.ts';
import { aManifest } from '#support/rendering/reports.ts';
import { defined } from '#support/assertions/defined.ts';

const DAY = '2026-11-20';

function sealed(day: string, paid: number, changes: Partial<Manifest> = {}): Manifest {
  const counts = { total: paid, paid, notPaid: 0, cancelled: 0, other: 0 };
  return aManifest({ day, counts, ...changes });
}

const present = sealed(DAY, 10);

describe('against the day before', () => {
  it('is exact', () => {
    expect(againstDayBefore(present, [sealed('2026-11-19', 7)])?.differences.paid).toBe(30n);
  });

  it.each([
    ['is nothing where that day was not sealed', [sealed('2026-11-18', 7)]],
    ['is nothing where that day did not balance', [sealed('2026-11-19', 7, { balanced: false })]],
    ['is nothing without a history', []],
  ])('%s', (_what, history) => {
    expect(againstDayBefore(present, history)).toBeNull();
  });

  it('is nothing where the two share no figure', () => {
    const unknown = { total: null, paid: null, notPaid: null, cancelled: null, other: null };
    const blind = sealed('2026-11-19', 7, { counts: unknown, amounts: null });
    expect(againstDayBefore(present, [blind])).toBeNull();
    expect(againstDayBefore({ ...present, counts: unknown }, [blind])).toBeNull();
    expect(
      againstWeekday({ ...present, counts: unknown, amounts: null }, [sealed('2026-11-13', 7)]),
    ).toBeNull();
  });
});

describe('against the same weekday', () => {
  it('takes the four weeks before and no other day', () => {
    const history = [7, 14, 21, 28].map((days, index) => sealed(addDays(DAY, -days), 4 + index));
    const others = [1, 6, 8, 35].map((days) => sealed(addDays(DAY, -days), 1_000));
    const comparison = againstWeekday(present, [...others, ...history]);
    // The average of 4, 5, 6 and 7 is 5.5.
    expect(comparison?.days).toBe(4);
    expect(comparison?.differences.paid).toBe(45n);
  });

  it('is the difference from the average, rounded half away from zero', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 4 }),
        fc.nat(1_000_000),
        (earlier, now) => {
          const history = earlier.map((paid, index) => sealed(addDays(DAY, -7 * (index + 1)), paid));
          const counts = { ...present.counts, paid: now };
          const { paid: count } = defined(againstWeekday({ ...present, counts }, history)).differences;
          const exact = now - earlier.reduce((sum, paid) => sum + paid, 0) / earlier.length;
          expect(Math.abs(Number(count) / 10 - exact)).toBeLessThanOrEqual(0.05 + 1e-6);
        },
      ),
    );
  });
});
