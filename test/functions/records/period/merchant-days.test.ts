import { describe, expect, it } from 'vitest';
import { addDays, WEEKDAYS } from '#records/day/business-day.ts';
import {
  daysOf,
  merchantDays,
  periodBefore,
  unusualLength,
  weekAfter,
  weekOf,
} from '#records/period/period.ts';
import type { Period, PeriodDays } from '#records/period/period.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const MONDAY = '2026-06-01';

describe('the days of a week', () => {
  it.each([
    { was: { from: '2026-11-15', to: '2026-11-21' }, is: 'wednesday', from: '2026-11-22', to: '2026-12-01' },
    { was: { from: '2026-11-16', to: '2026-11-22' }, is: 'sunday', from: '2026-11-23', to: '2026-11-28' },
    { was: { from: '2026-11-16', to: '2026-11-22' }, is: 'friday', from: '2026-11-23', to: '2026-11-26' },
  ] as const)('after a sealed one of $was.from to $was.to begin on the day after it', (given) => {
    const days = merchantDays('2026-W48', given.is, { before: given.was });
    expect(days).toEqual({ from: given.from, to: given.to });
    expect(merchantDays('2026-W47', given.is, { own: given.was })).toEqual(given.was);
    const length = daysOf(days).length;
    expect(unusualLength({ period: '2026-W48', ...days })).toBe(length);
  });

  it('are seven, as long as nobody changes weekStart', () => {
    for (const weekStart of WEEKDAYS) {
      const before = merchantDays('2026-W47', weekStart, {});
      const days = merchantDays('2026-W48', weekStart, { before });
      expect(days).toEqual(merchantDays('2026-W48', weekStart, {}));
      expect(unusualLength({ period: '2026-W48', ...days })).toBeUndefined();
    }
  });

  it('are not those that a spoilt statement says', () => {
    const spoilt = { from: '0001-01-01', to: '2026-11-21' };
    const usual = merchantDays('2026-W48', 'sunday', {});
    expect(merchantDays('2026-W48', 'sunday', { own: spoilt })).toEqual(usual);
    expect(merchantDays('2026-W48', 'sunday', { before: { from: '2026-11-15', to: '2026-12-30' } })).toEqual(
      usual,
    );
  });

  /** Whenever somebody changes `weekStart`, and whichever weeks are looked at in which order. */
  it('are each in exactly one sealed week, however often weekStart changes', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ weekStart: fc.constantFrom(...WEEKDAYS) }),
        // Mostly the newest weeks, as ticks look at them, and sometimes an old one by hand.
        fc.record({ passed: fc.integer({ min: 0, max: 20 }), weeksBack: fc.integer({ min: 1, max: 5 }) }),
      ),
      { minLength: 1, maxLength: 60 },
    );
    forAll([fc.constantFrom(...WEEKDAYS), steps], (first, all) => {
      let weekStart: (typeof WEEKDAYS)[number] = first;
      let today = MONDAY;
      const sealed = new Map<Period, PeriodDays>();
      const seal = (week: Period) => {
        const before = sealed.get(periodBefore(week));
        const days = merchantDays(week, weekStart, {
          own: sealed.get(week),
          before,
          after: sealed.get(weekAfter(week)),
        });
        if (days.to >= today) return;
        // A sealed week keeps its days, with any `weekStart`.
        if (sealed.has(week)) expect(days).toEqual(sealed.get(week));
        sealed.set(week, days);
      };
      for (const step of all) {
        if ('weekStart' in step) {
          weekStart = step.weekStart;
          continue;
        }
        today = addDays(today, step.passed);
        let week = weekOf(today, weekStart);
        for (let back = 0; back < step.weeksBack; back += 1) week = periodBefore(week);
        seal(week);
      }
      const weeks = [...sealed.keys()].sort();
      const [oldest, newest] = [weeks.at(0), weeks.at(-1)];
      if (oldest === undefined || newest === undefined) return;
      for (let week = oldest; week <= newest; week = weekAfter(week)) seal(week);
      const inOrder = [...sealed.entries()].sort(([one], [other]) => (one < other ? -1 : 1));
      const days = inOrder.flatMap(([, one]) => daysOf(one));
      expect(days).toEqual(daysOf({ from: days[0] ?? '', to: days.at(-1) ?? '' }));
      for (const [week, one] of inOrder) {
        const { length } = daysOf(one);
        expect(length).toBeGreaterThanOrEqual(1);
        expect(length).toBeLessThanOrEqual(13);
        expect(
          daysOf(one).filter((day) => weekOf(day, 'monday') === week && day === thursdayIn(one)),
        ).toHaveLength(1);
      }
    });
  });
});

/** The first Thursday of the days. */
function thursdayIn(days: PeriodDays): string | undefined {
  return daysOf(days).find((day) => new Date(day).getUTCDay() === 4);
}
