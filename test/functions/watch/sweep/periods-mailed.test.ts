import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, WEEKDAYS } from '#records/day/business-day.ts';
import { duePeriods } from '#records/period/due.ts';
import { periodsMailed } from '#watch/sweep/settle-ledgers.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const NOON = Date.parse('2026-11-20T12:00:00Z');

const times = fc.record({
  timeZone: fc.constantFrom('Pacific/Kiritimati', 'Asia/Kuwait', 'America/Los_Angeles', 'Etc/GMT+12'),
  weekStart: fc.constantFrom(...WEEKDAYS),
  weekly: fc.record({ on: fc.constantFrom(...WEEKDAYS), at: fc.constantFrom('00:00', '08:00', '23:59') }),
  monthly: fc.record({ onDay: fc.integer({ min: 1, max: 28 }), at: fc.constantFrom('00:00', '23:59') }),
  waitFor: fc.integer({ min: 1, max: 7 }).map((days) => days * DAY),
  correctFor: fc.integer({ min: 1, max: 120 }).map((days) => days * DAY),
});

describe('the periods that may have a mail', () => {
  it('are those whose statements are issued and corrected, as long as their ledgers are examined', () => {
    fc.assert(
      fc.property(
        times,
        fc.integer({ min: 0, max: 400 }),
        fc.constantFrom(0, 1, 26, 50),
        (merchant, day, later) => {
          const now = NOON + day * DAY;
          const mailed = duePeriods(merchant, now).map(({ period }) => period);
          const looked = periodsMailed(mailed, [merchant], now + later * HOUR);
          expect(mailed.filter((period) => !looked.includes(period))).toEqual([]);
        },
      ),
    );
  });

  it('are few, also without a registry: some weeks, months, and days of groups', () => {
    const days = Array.from({ length: 800 }, (_, back) => addDays('2026-11-20', -back));
    const months = Array.from(
      { length: 24 },
      (_, back) => `${2025 + Math.floor(back / 12)}-${`${(back % 12) + 1}`.padStart(2, '0')}`,
    );
    const weeks = Array.from({ length: 47 }, (_, week) => `2026-W${`${week + 1}`.padStart(2, '0')}`);
    const looked = periodsMailed([...days, ...months, ...weeks], [], NOON);
    expect(looked).toContain('2026-11-20');
    expect(looked).toContain('2026-W39');
    expect(looked).toContain('2026-09');
    expect(looked).not.toContain('2026-08');
    expect(looked.length).toBeLessThan(75);
  });

  it('are none whose name is not one of a period', () => {
    expect(periodsMailed(['2026-13', '2026-W54', 'r0001.json', '', '2026-11'], [], NOON)).toEqual([
      '2026-11',
    ]);
  });
});
