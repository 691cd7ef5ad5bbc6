import { describe, expect, it } from 'vitest';
import { addDays, dayAt, instantOf, WEEKDAYS, weekdayOf } from '#records/day/business-day.ts';
import { duePeriods, dueGroupDays, groupTimes } from '#records/period/due.ts';
import { daysOf, periodDays } from '#records/period/period.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const HOUR = 3_600_000;
const zones = fc.constantFrom(
  'Asia/Kuwait',
  'Africa/Cairo',
  'Europe/Berlin',
  'America/St_Johns',
  'Pacific/Apia',
);
const at = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '15', '30', '59'))
  .map(([hour, minute]) => `${hour.toString().padStart(2, '0')}:${minute}`);
const now = fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2029-01-01') });
const hours = fc.integer({ min: 1, max: 48 }).map((count) => count * HOUR);
const days = fc.integer({ min: 1, max: 60 }).map((count) => count * 24 * HOUR);
const waits = fc.record({ waitFor: hours, correctFor: days });
const times = fc.record({
  timeZone: zones,
  weekStart: fc.constantFrom(...WEEKDAYS),
  weekly: fc.record({ on: fc.constantFrom(...WEEKDAYS), at }),
  monthly: fc.record({ onDay: fc.integer({ min: 1, max: 28 }), at }),
  waitFor: hours,
  correctFor: days,
});

const KUWAIT = {
  timeZone: 'Asia/Kuwait',
  weekStart: 'sunday',
  waitFor: 12 * HOUR,
  correctFor: 30 * 24 * HOUR,
} as const;

describe('the periods that are due', () => {
  it('are over, each once, at the hour and day that the registry says', () =>
    forAll([times, now], (settings, moment) => {
      const due = duePeriods(settings, moment);
      expect(new Set(due.map(({ period }) => period)).size).toBe(due.length);
      for (const one of due) {
        const issued = dayAt(one.dueAt, settings.timeZone);
        expect(one.dueAt).toBeLessThanOrEqual(moment);
        expect(one.isNewest || one.followedUntil > moment).toBe(true);
        expect(daysOf(one)).toHaveLength(one.kind === 'week' ? 7 : Number(one.to.slice(8)));
        expect(one.dueAt).toBe(
          instantOf(addDays(one.to, distance(one.to, issued)), one.at, settings.timeZone),
        );
        if (one.kind === 'week') {
          const on = one.at === settings.weekly.at ? settings.weekly.on : '';
          expect(distance(one.to, issued)).toBeLessThanOrEqual(8);
          expect([WEEKDAYS[weekdayOf(issued)], WEEKDAYS[weekdayOf(addDays(issued, -1))]]).toContain(on);
        }
      }
    }));

  it('come one after another: each week and month is due once in its time', () =>
    forAll([times, now], (settings, moment) => {
      const weeks = duePeriods(settings, moment).filter(({ kind }) => kind === 'week');
      for (const [index, week] of weeks.entries()) {
        const older = weeks[index + 1];
        if (older !== undefined) expect(addDays(older.to, 1)).toBe(week.from);
      }
    }));

  it('of a month in Kuwait are due on the first at nine', () => {
    const settings = { ...KUWAIT, monthly: { onDay: 1, at: '09:00' } };
    const nine = Date.parse('2026-12-01T06:00:00Z');
    expect(duePeriods(settings, nine - 1).map(({ period }) => period)).toEqual(['2026-10']);
    const days = { period: '2026-11', from: '2026-11-01', to: '2026-11-30' };
    const [due] = duePeriods(settings, nine);
    expect(due).toMatchObject({ ...days, dueAt: nine, deadline: nine + 12 * HOUR });
  });

  it('are none without a setting', () => {
    expect(duePeriods(KUWAIT, Date.parse('2026-12-01T06:00:00Z'))).toEqual([]);
  });
});

/** Calendar days from one date to another. */
function distance(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / (24 * HOUR);
}

const ZONES = ['Pacific/Kiritimati', 'Asia/Kuwait', 'Europe/London', 'America/Los_Angeles', 'Etc/GMT+12'];
describe('the week of a group', () => {
  it.each([
    [['sunday'], 'sunday'],
    [['monday', 'sunday', 'saturday'], 'monday'],
    [['friday', 'saturday'], 'saturday'],
    [['friday', 'thursday', 'wednesday'], 'thursday'],
    [[], 'sunday'],
  ] as const)('ends with the last week of its merchants: %j', (weekStarts, weekStart) => {
    const times = groupTimes({ timeZone: 'Asia/Kuwait', waitFor: HOUR, correctFor: 24 * HOUR }, weekStarts);
    expect(times.weekStart).toBe(weekStart);
  });

  it('is due when it is over for each of its merchants', () => {
    const weekStarts = fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 });
    const weekly = fc.record({ on: fc.constantFrom(...WEEKDAYS), at: fc.constantFrom('00:00', '08:00') });
    forAll([weekStarts, weekly, fc.constantFrom(...ZONES), waits, now], (starts, on, timeZone, wait, at) => {
      const times = groupTimes({ timeZone, weekly: on, ...wait }, starts);
      for (const { period, dueAt } of duePeriods(times, at)) {
        for (const weekStart of starts) {
          expect(periodDays(period, weekStart).to < dayAt(dueAt, timeZone)).toBe(true);
        }
      }
    });
  });
});

describe('the day of a group', () => {
  const clocks = fc.array(
    fc.record({ timeZone: fc.constantFrom(...ZONES), reportAt: fc.constantFrom('00:00', '06:00', '23:59') }),
    { minLength: 1, maxLength: 4 },
  );

  it('is due when the last of its merchants is, and for as long as it may be made again', () =>
    forAll([clocks, waits, now], (members, wait, at) => {
      const open = Math.max(wait.waitFor, wait.correctFor);
      const expected = Array.from({ length: 70 }, (_, back) => addDays(dayAt(at, 'UTC'), 3 - back)).flatMap(
        (day) => {
          const hours = members.map(({ timeZone, reportAt }) =>
            instantOf(addDays(day, 1), reportAt, timeZone),
          );
          const [dueAt = 0] = hours.toSorted((one, other) => other - one);
          if (dueAt > at || dueAt + open <= at) return [];
          return [{ period: day, dueAt, deadline: dueAt + wait.waitFor, followedUntil: dueAt + open }];
        },
      );
      const due = dueGroupDays(wait, members, at);
      expect(due).toEqual(expected.map((one) => ({ ...one, kind: 'day', from: one.period, to: one.period })));
    }));

  it('is never due without merchants', () => {
    expect(
      dueGroupDays({ waitFor: HOUR, correctFor: 24 * HOUR }, [], Date.parse('2026-03-20T12:00:00Z')),
    ).toEqual([]);
  });
});
