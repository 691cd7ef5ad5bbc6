import { Temporal } from 'temporal-polyfill';
import {
  InvalidDayError,
  addDays,
  dayAt,
  daysReaching,
  isDay,
  isTimeZone,
  localTime,
  resolveDay,
  weekdayOf,
} from '#records/day/business-day.ts';
import { defined, fc, forAll } from '#support/assertions/index.ts';
import { likeDays, occasionsOf } from '#records/day/occasions.ts';

const HOUR = 3_600_000;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Asia/Kuwait'];
const at = (instant: string) => Date.parse(instant);

describe('isDay', () => {
  it.each([
    ['another form', ['', '2026-1-1', '20261120', '٢٠٢٦-١١-٢٠', 'yesterday']],
    ['more than a day', ['2026-11-20T00:00', ' 2026-11-20', '2026-11-20\n']],
    ['a sign', ['-2026-11-20', '+002026-11-20']],
  ])('rejects %s: %j', (_what, texts) => {
    expect(texts.filter(isDay)).toEqual([]);
  });

  it('agrees with the calendar about every text that looks like a date', () => {
    const two = (most: number) => fc.nat(most).map((number) => number.toString().padStart(2, '0'));
    const year = fc.nat(9_999).map((number) => number.toString().padStart(4, '0'));
    forAll([year, two(14), two(33)], { numRuns: 2_000 }, (...parts) => {
      const [year = 0, month = 0, day = 0] = parts.map(Number);
      const isReal = () => Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
      if (isDay(parts.join('-'))) expect(isReal).not.toThrow();
      else expect(isReal).toThrow(RangeError);
    });
  });
});

describe('isTimeZone', () => {
  it.each(['', 'Asia/Kuwayt', 'Mars/Olympus', ' UTC', 'Asia/Kuwait\n', '__proto__', 'local'])(
    'does not know %j',
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );

  it('knows every zone of the runtime, each time, and a day can be found in it', () => {
    const names = ['UTC', ...ZONES, ...Intl.supportedValuesOf('timeZone')];
    expect([...names, ...names].filter((name) => !isTimeZone(name))).toEqual([]);
    expect(names.filter((name) => !isDay(dayAt(at('2026-11-20T12:00:00Z'), name)))).toEqual([]);
  });
});

describe('dayAt', () => {
  it.each([
    ['2011-12-30T09:59:59.999Z', 'Pacific/Apia', '2011-12-29'],
    ['2011-12-30T10:00:00.000Z', 'Pacific/Apia', '2011-12-31'],
  ])('at %s in %s is %s', (instant, timeZone, day) => {
    expect(dayAt(at(instant), timeZone)).toBe(day);
  });

  it('is the date on the clock of the zone, whatever the length of its day', () => {
    const changes = ['2026-03-08', '2026-03-29', '2026-04-04', '2026-10-03', '2026-10-25', '2026-11-01'];
    const halfHours = fc.integer({ min: -48, max: 96 });
    forAll([fc.constantFrom(...ZONES), fc.constantFrom(...changes), halfHours], (timeZone, change, half) => {
      const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
      for (const instant of [0, -1].map((ms) => at(change) + half * (HOUR / 2) + ms))
        expect(dayAt(instant, timeZone)).toBe(clock.format(instant));
    });
  });
});

it('addDays counts days of the calendar, forwards and backwards', () => {
  const date = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  forAll([date, fc.integer({ min: -400, max: 400 })], (from, days) => {
    const later = new Date(from.getTime() + days * 24 * HOUR);
    expect(addDays(from.toISOString().slice(0, 10), days)).toBe(later.toISOString().slice(0, 10));
  });
});

describe('resolveDay', () => {
  // 01:30 on the 21st in Kuwait is still the 20th in London and New York.
  const now = at('2026-11-20T22:30:00Z');

  it.each([
    ['today', 'Asia/Kuwait', '2026-11-21'],
    ['yesterday', 'Asia/Kuwait', '2026-11-20'],
    ['today', 'America/New_York', '2026-11-20'],
    ['yesterday', 'America/New_York', '2026-11-19'],
    ['2026-11-21', 'Asia/Kuwait', '2026-11-21'],
  ])('reads %s in %s as %s', (wanted, timeZone, day) => {
    expect(resolveDay(wanted, now, timeZone)).toBe(day);
  });

  it('uses the calendar day before, whatever its length', () => {
    // Half an hour into the day after Berlin's day of 25 hours, and after its day of 23 hours. 24 hours before the second time
    // it is still the 28th.
    expect(resolveDay('yesterday', at('2026-10-25T23:30:00Z'), 'Europe/Berlin')).toBe('2026-10-25');
    expect(resolveDay('yesterday', at('2026-03-29T22:30:00Z'), 'Europe/Berlin')).toBe('2026-03-29');
  });

  it('rejects a day that has not begun in the zone', () => {
    expect(() => resolveDay('2026-11-21', now, 'America/New_York')).toThrow(
      new InvalidDayError('day 2026-11-21 has not begun yet in America/New_York'),
    );
  });

  it.each(['', 'tomorrow', 'Today', '2026-02-30', '20.11.2026', '2026-11-20T00:00:00Z'])(
    'rejects %j, and does not repeat it',
    (wanted) => {
      expect(() => resolveDay(wanted, now, 'Asia/Kuwait')).toThrow(
        new InvalidDayError('day is neither a date (YYYY-MM-DD), "yesterday" nor "today"'),
      );
    },
  );
});

it.each([
  ['2026-11-21T03:00:07.480Z', 'Asia/Kuwait', '2026-11-21 06:00'],
  ['2026-11-20T20:45:59.999Z', 'Asia/Kolkata', '2026-11-21 02:15'],
  ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25 02:30'],
  ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25 02:30'],
])('localTime %s in %s is %s', (instant, timeZone, text) => {
  expect(localTime(instant, timeZone)).toBe(text);
});

describe('daysReaching', () => {
  it.each([
    ['in the window', '06:00', 'Asia/Kuwait', '2026-11-21T02:45', '2026-11-21T03:00', ['2026-11-21']],
    ['not at its beginning', '06:00', 'Asia/Kuwait', '2026-11-21T03:00', '2026-11-21T03:15', []],
    ['not before it is reached', '06:00', 'Asia/Kuwait', '2026-11-21T03:15', '2026-11-22T02:59', []],
    ['of half an hour', '06:00', 'Asia/Kolkata', '2026-11-21T00:15', '2026-11-21T00:30', ['2026-11-21']],
    // Berlin's clock goes from 02:00 to 03:00 at 01:00 UTC, so 02:30 counts as 03:30.
    ['in a gap', '02:30', 'Europe/Berlin', '2026-03-29T01:15', '2026-03-29T01:30', ['2026-03-29']],
    [
      'in a short gap',
      '02:15',
      'Australia/Lord_Howe',
      '2026-10-03T15:30',
      '2026-10-03T15:45',
      ['2026-10-04'],
    ],
    ['that comes twice', '02:30', 'Europe/Berlin', '2026-10-25T00:15', '2026-10-25T00:30', ['2026-10-25']],
    ['that came before', '02:30', 'Europe/Berlin', '2026-10-25T00:30', '2026-10-25T01:30', []],
    // The date in between was skipped, and is found with the next one.
    [
      'of a lost date',
      '06:00',
      'Pacific/Apia',
      '2011-12-29T16:00',
      '2011-12-31T15:59',
      ['2011-12-30', '2011-12-31'],
    ],
  ])('finds a time %s: %s in %s', (_what, timeOfDay, timeZone, after, until, days) => {
    expect(daysReaching(timeOfDay, timeZone, at(`${after}Z`), at(`${until}Z`))).toEqual(days);
  });

  it('finds each date once, in whatever ticks time is divided', () => {
    const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));
    forAll(
      [
        fc.constantFrom(...ZONES),
        time,
        fc.constantFrom('2026-03-05', '2026-03-27', '2026-04-02', '2026-10-01', '2026-10-23', '2026-10-30'),
        fc.integer({ min: 1, max: 40 }),
      ],
      { numRuns: 60 },
      (timeZone, [hour, minute], firstDay, tickHours) => {
        const timeOfDay = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
        const begin = at(`${firstDay}T12:00:00Z`);
        const end = begin + 5 * 24 * HOUR;
        const found: string[] = [];
        for (let after = begin; after < end; after += tickHours * HOUR) {
          found.push(...daysReaching(timeOfDay, timeZone, after, Math.min(end, after + tickHours * HOUR)));
        }
        expect(found).toEqual(daysReaching(timeOfDay, timeZone, begin, end));
        for (const [index, day] of found.entries()) expect(day).toBe(addDays(defined(found[0]), index));
        expect([4, 5, 6]).toContain(found.length);
      },
    );
  });
});

const KUWAIT = 'Asia/Kuwait';

/** As published: the first of Ramadan, Eid al-Fitr and Eid al-Adha in Kuwait, by year of the Hijra. */
const PUBLISHED = [
  ['1443', '2022-04-02', '2022-05-02', '2022-07-09'],
  ['1444', '2023-03-23', '2023-04-21', '2023-06-28'],
  ['1445', '2024-03-11', '2024-04-10', '2024-06-16'],
  ['1446', '2025-03-01', '2025-03-30', '2025-06-06'],
  ['1447', '2026-02-18', '2026-03-20', '2026-05-27'],
] as const;

describe('occasions', () => {
  it.each(PUBLISHED)('of %s are on their published days', (_, ramadan, fitr, adha) => {
    const inDubai = (day: string, ...offsets: number[]) =>
      offsets.map((days) => occasionsOf(addDays(day, days), 'Asia/Dubai').join());
    expect(inDubai(ramadan, -1, 0)).toEqual(['', 'ramadan']);
    expect(inDubai(fitr, -1, 0, 3, 4)).toEqual(['ramadan', 'eidAlFitr', 'eidAlFitr', '']);
    // From the day of Arafat.
    expect(inDubai(adha, -2, -1, 4, 5)).toEqual(['', 'eidAlAdha', 'eidAlAdha', '']);
  });

  it('of Kuwait have its National Day, in Ramadan as well', () => {
    expect(
      ['2025-02-24', '2025-02-25', '2025-02-26', '2025-02-27'].map((day) => occasionsOf(day, KUWAIT)),
    ).toEqual([[], ['nationalDay'], ['nationalDay'], []]);
    expect(occasionsOf('2026-02-25', KUWAIT)).toEqual(['ramadan', 'nationalDay']);
    expect(occasionsOf('2025-02-25', 'Asia/Riyadh')).toEqual([]);
  });
});

describe('a day is like', () => {
  it('the ordinary ones of its weekday in the four weeks before', () => {
    const days = ['2026-11-13', '2026-11-06', '2026-10-30', '2026-10-23'];
    expect(likeDays('2026-11-20', KUWAIT)).toEqual({ days, occasions: [], isUsual: true });
    // Of the four Mondays before, one was in Ramadan and another in the holidays.
    expect(likeDays('2025-04-21', KUWAIT)).toEqual({
      days: ['2025-04-14', '2025-04-07'],
      occasions: ['eidAlFitr', 'ramadan'],
      isUsual: true,
    });
  });

  it('the same day of the Hijri year before in Ramadan and Eid', () => {
    expect(likeDays('2025-03-10', KUWAIT)).toEqual({
      days: ['2024-03-20'],
      occasions: ['ramadan'],
      isUsual: false,
    });
    expect(likeDays('2025-03-30', KUWAIT)).toMatchObject({ days: ['2024-04-10'], occasions: ['eidAlFitr'] });
    expect(likeDays('2025-06-06', KUWAIT)).toMatchObject({ days: ['2024-06-16'], occasions: ['eidAlAdha'] });
    // Ramadan had 29 days in the year before.
    expect(likeDays('2024-04-09', KUWAIT)).toEqual({ days: [], occasions: ['ramadan'], isUsual: false });
  });

  it('the same date of the year before on National Day, unless that was in Ramadan or this is', () => {
    expect(likeDays('2025-02-26', KUWAIT).days).toEqual(['2024-02-26']);
    expect(likeDays('2026-02-25', KUWAIT)).toEqual({
      days: [],
      occasions: ['ramadan', 'nationalDay'],
      isUsual: false,
    });
    expect(likeDays('2027-02-25', KUWAIT).days).toEqual(['2026-02-25']);
  });

  it('earlier days of the same occasions only, on every day', () =>
    forAll([fc.integer({ min: 0, max: 20_000 })], (days) => {
      const day = addDays('2010-01-01', days);
      const like = likeDays(day, KUWAIT);
      for (const one of like.days) {
        expect(one < day).toBe(true);
        expect(occasionsOf(one, KUWAIT)).toEqual(occasionsOf(day, KUWAIT));
        if (like.isUsual) expect(weekdayOf(one)).toBe(weekdayOf(day));
      }
      expect(like.days.length).toBeLessThanOrEqual(like.isUsual ? 4 : 1);
    }));
});
