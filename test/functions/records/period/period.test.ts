import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { addDays, WEEKDAYS, weekdayOf } from '#records/day/business-day.ts';
import {
  InvalidPeriodError,
  daysOf,
  monthOf,
  periodBefore,
  periodDays,
  periodKind,
  resolvePeriod,
  samePeriodOfLastYear,
  weekOf,
} from '#records/period/period.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const day = fc.integer({ min: 0, max: 40_000 }).map((days) => addDays('1990-01-01', days));
const weekStart = fc.constantFrom(...WEEKDAYS);

/** The ISO week of a date, by another implementation. */
function isoWeek(of: string): string {
  const { yearOfWeek = 0, weekOfYear = 0 } = Temporal.PlainDate.from(of);
  return `${yearOfWeek}-W${weekOfYear.toString().padStart(2, '0')}`;
}

describe('weeks', () => {
  it('have the ISO name of their Thursday, whatever day they begin with', () =>
    forAll([day, weekStart], (of, start) => {
      const { from, to } = periodDays(weekOf(of, start), start);
      const days = daysOf({ from, to });
      expect(days).toHaveLength(7);
      expect(days).toContain(of);
      expect(WEEKDAYS[weekdayOf(from)]).toBe(start);
      const thursday = days.find((one) => weekdayOf(one) === 4) ?? '';
      expect(weekOf(of, start)).toBe(isoWeek(thursday));
    }));

  it('follow each other without a gap', () =>
    forAll([day, weekStart], (of, start) => {
      const week = weekOf(of, start);
      const before = periodDays(periodBefore(week), start);
      expect(addDays(before.to, 1)).toBe(periodDays(week, start).from);
    }));

  it('of Kuwait begin on Sunday', () => {
    expect(periodDays('2026-W47', 'sunday')).toEqual({ from: '2026-11-15', to: '2026-11-21' });
    expect(periodDays('2026-W47', 'monday')).toEqual({ from: '2026-11-16', to: '2026-11-22' });
    expect(periodDays('2026-W53', 'sunday')).toEqual({ from: '2026-12-27', to: '2027-01-02' });
    expect(periodDays('2027-W01', 'friday')).toEqual({ from: '2027-01-01', to: '2027-01-07' });
  });

  it('53 exists in long years only', () => {
    expect(periodKind('2026-W53')).toBe('week');
    expect(periodKind('2027-W53')).toBeUndefined();
    expect(samePeriodOfLastYear('2026-W53')).toBeUndefined();
    expect(samePeriodOfLastYear('2026-W47')).toBe('2025-W47');
  });
});

describe('months', () => {
  it('have all of their days and no other', () =>
    forAll([day], (of) => {
      const month = monthOf(of);
      const days = daysOf(periodDays(month, 'sunday'));
      expect(days).toContain(of);
      expect(days.every((one) => one.startsWith(month))).toBe(true);
      expect(monthOf(addDays(days[0] ?? '', -1))).toBe(periodBefore(month));
      expect(monthOf(addDays(days.at(-1) ?? '', 1))).not.toBe(month);
    }));

  it('of the year before have the same number', () => {
    expect(samePeriodOfLastYear('2024-02')).toBe('2023-02');
    expect(samePeriodOfLastYear('2026-11-20')).toBeUndefined();
  });
});

it.each([
  '',
  '2026',
  '2026-13',
  '2026-00',
  '2026-W00',
  '2026-W54',
  '2026-02-30',
  '2026-w47',
  ' 2026-11',
  '0000-W01',
  // Their neighbours or last days would be in years that days do not have.
  '0000-01',
  '9999-12',
  '9999-W52',
])('any other text such as "%s" is no period', (text) => {
  expect(periodKind(text)).toBeUndefined();
  expect(() => periodDays(text, 'sunday')).toThrow(InvalidPeriodError);
});

it.each([
  ['2026-13', 'given "2026-13"'],
  ['lastmonth', 'must be a month (2026-11), a week (2026-W47), "last-month" or "last-week"'],
  ['2026-W53 ', 'given "2026-W53 "'],
  ['2025-W53', 'given "2025-W53": the year has no such week'],
  ['x'.repeat(100), `given "${'x'.repeat(40)}"`],
])('the error of a text that is no period says what "%s" should be', (text, says) => {
  expect(() => periodDays(text, 'sunday')).toThrow(says);
});

describe('the period of an event', () => {
  const at = { timeZone: 'Asia/Kuwait', weekStart: 'sunday' } as const;

  it('may be the last week, the last month or yesterday of the zone', () => {
    // In Kuwait it is already the first of December, a Tuesday.
    const now = Date.parse('2026-11-30T21:30:00Z');
    expect(resolvePeriod('last-month', { ...at, now })).toBe('2026-11');
    expect(resolvePeriod('last-week', { ...at, now })).toBe('2026-W48');
    expect(resolvePeriod('yesterday', { ...at, now })).toBe('2026-11-30');
  });

  it.each([
    // The week of 15 to 21 November is over at midnight: fourteen hours before UTC, and eleven after.
    ['Pacific/Kiritimati', '2026-11-21T10:00:00Z'],
    ['Pacific/Pago_Pago', '2026-11-22T11:00:00Z'],
  ])('changes at midnight in %s', (timeZone, midnight) => {
    const lastWeekAt = (now: number) => resolvePeriod('last-week', { timeZone, weekStart: 'sunday', now });
    expect(lastWeekAt(Date.parse(midnight) - 1)).toBe('2026-W46');
    expect(lastWeekAt(Date.parse(midnight))).toBe('2026-W47');
  });

  it('is refused while it is not over, with its last day', () => {
    const now = Date.parse('2026-11-30T12:00:00Z');
    expect(() => resolvePeriod('2026-11', { ...at, now })).toThrow('its last day is 2026-11-30');
    expect(resolvePeriod('2026-11', { ...at, now: now + 12 * 3_600_000 })).toBe('2026-11');
  });
});
