import { Temporal } from 'temporal-polyfill';
import { addDays, weekdayOf, WEEKDAYS, dayAt, instantOf } from '#records/day/business-day.ts';
import {
  daysOf,
  InvalidPeriodError,
  merchantDays,
  monthOf,
  type Period,
  periodBefore,
  periodDays,
  type PeriodDays,
  periodKind,
  resolvePeriod,
  samePeriodOfLastYear,
  unusualLength,
  weekAfter,
  weekOf,
} from '#records/period/period.ts';
import { defined, fc, forAll } from '#support/assertions/index.ts';
import { duePeriods, dueGroupDays, groupTimes } from '#records/period/due.ts';

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

// Of years 0000 and 9999, the neighbours or last days would be in years that days do not have.
const NO_PERIODS =
  '2026 2026-13 2026-00 2026-W00 2026-W54 2026-02-30 2026-w47 0000-W01 0000-01 9999-12 9999-W52';

it.each(['', ' 2026-11', ...NO_PERIODS.split(' ')])('any other text such as "%s" is no period', (text) => {
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
    const before = { from: '2026-11-15', to: '2026-12-30' };
    expect(merchantDays('2026-W48', 'sunday', { before })).toEqual(usual);
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
      let today = '2026-06-01';
      const sealed = new Map<Period, PeriodDays>();
      const seal = (week: Period) => {
        const weeks = [periodBefore(week), week, weekAfter(week)];
        const [before, own, after] = weeks.map((one) => sealed.get(one));
        const days = merchantDays(week, weekStart, { own, before, after });
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
        const own = daysOf(one);
        expect(own.length).toBeLessThanOrEqual(13);
        const thursday = defined(own.find((day) => weekdayOf(day) === 4));
        expect(weekOf(thursday, 'monday')).toBe(week);
      }
    });
  });
});

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
          const dueAt = Math.max(...hours);
          if (dueAt > at || dueAt + open <= at) return [];
          return [{ period: day, dueAt, deadline: dueAt + wait.waitFor, followedUntil: dueAt + open }];
        },
      );
      const due = dueGroupDays(wait, members, at);
      expect(due).toEqual(expected.map((one) => ({ ...one, kind: 'day', from: one.period, to: one.period })));
    }));

  it('is never due without merchants', () => {
    expect(dueGroupDays(KUWAIT, [], Date.parse('2026-03-20T12:00:00Z'))).toEqual([]);
  });
});
