import { describe, expect, it } from 'vitest';
import { addDays, dayAt, instantOf, WEEKDAYS } from '#records/day/business-day.ts';
import { duePeriods, dueGroupDays, groupTimes } from '#records/period/due.ts';
import { periodDays } from '#records/period/period.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const ZONES = ['Pacific/Kiritimati', 'Asia/Kuwait', 'Europe/London', 'America/Los_Angeles', 'Etc/GMT+12'];
const NOON = Date.parse('2026-03-20T12:00:00Z');

const now = fc.integer({ min: 0, max: 400 * 24 }).map((hours) => NOON + hours * HOUR);
const waits = fc.record({
  waitFor: fc.integer({ min: 1, max: 48 }).map((hours) => hours * HOUR),
  correctFor: fc.integer({ min: 1, max: 20 }).map((days) => days * DAY),
});

describe('the week of a group', () => {
  it.each([
    [['sunday'], 'sunday'],
    [['monday', 'sunday', 'saturday'], 'monday'],
    [['friday', 'saturday'], 'saturday'],
    [['friday', 'thursday', 'wednesday'], 'thursday'],
    [[], 'sunday'],
  ] as const)('ends with the last week of its merchants: %j', (weekStarts, weekStart) => {
    const times = groupTimes({ timeZone: 'Asia/Kuwait', waitFor: HOUR, correctFor: DAY }, weekStarts);
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
      const expected = Array.from({ length: 40 }, (_, back) => addDays(dayAt(at, 'UTC'), 3 - back)).flatMap(
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
    expect(dueGroupDays({ waitFor: HOUR, correctFor: DAY }, [], NOON)).toEqual([]);
  });
});
