import { describe, expect, it } from 'vitest';
import { daysInTurn } from '#watch/sweep/remove-orphans.ts';
import { addDays } from '#records/day/business-day.ts';

const HOUR = 60 * 60 * 1_000;
const NOW = Date.parse('2026-11-21T04:20:00Z');
const days = (count: number) => Array.from({ length: count }, (_, back) => addDays('2026-11-22', -back));

/** The days that this number of sweeps cover, when they are this many hours apart. */
function met(present: readonly string[], sweeps: number, rate: number): Set<string> {
  return new Set(
    Array.from({ length: sweeps }, (_, run) => daysInTurn(present, NOW + run * rate * HOUR)).flat(),
  );
}

describe('the days of one sweep', () => {
  it.each([1, 2, 3, 4, 6, 12])(
    'include every recent day within some time when a sweep comes every %i hours',
    (rate) => {
      // The days that are still recent at the end of that time.
      const recent = days(23 - Math.ceil((25 * rate) / 24));
      const seen = met(days(25), 25, rate);
      expect(recent.filter((day) => !seen.has(day))).toEqual([]);
    },
  );

  it('include every older day within 17 days, a few at a time', () => {
    const all = days(1_000);
    const seen = met(all, 401, 1);
    expect(all.filter((day) => !seen.has(day))).toEqual([]);
    for (let run = 0; run < 401; run += 1) {
      expect(daysInTurn(all, NOW + run * HOUR).length).toBeLessThanOrEqual(4);
    }
  });

  it('are none if there are no days', () => {
    expect(daysInTurn([], NOW)).toEqual([]);
  });
});
