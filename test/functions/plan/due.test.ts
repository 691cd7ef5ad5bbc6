import { describe, expect, test } from 'vitest';
import { dueItems } from '#functions/plan/create-plan.ts';
import type { DaysMessage } from '#runtime/queue-message.ts';
import { merchant } from '#support/plan/merchants.ts';
import { defined } from '#support/assertions/defined.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ZONES = [
  ...['Asia/Kuwait', 'Asia/Kolkata', 'Europe/Berlin', 'America/New_York', 'America/St_Johns'],
  ...['Australia/Lord_Howe', 'Pacific/Chatham'],
];

function due(members: Record<string, unknown>, since: string, tick: string, send?: boolean): DaysMessage[] {
  return dueItems([merchant(members)], { since, tick }, { scheduledTime: tick, send });
}

/** The days that are reported in consecutive windows, without lookback. */
function reportedOver(members: Record<string, unknown>, times: readonly number[]): string[] {
  const one = merchant({ ...members, lookbackDays: [] });
  return times.slice(1).flatMap((until, index) => {
    const [since = '', tick = ''] = [defined(times[index]), until].map((at) => new Date(at).toISOString());
    const items = dueItems([one], { since, tick }, { scheduledTime: tick, send: undefined });
    return items.flatMap((item) => item.days);
  });
}

/** The wall clock of the zone, `YYYY-MM-DD HH:MM`. It comes from the runtime's Intl, not from the code under test. */
function wallClock(instant: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(instant);
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY).toISOString().slice(0, 10);
}

const zones = fc.constantFrom(...ZONES);
const two = (number: number) => String(number).padStart(2, '0');
const timesOfDay = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map((minute) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`);

/** Times of ticks over a few weeks in which the clocks may change. Any two neighbours are at most a day apart. */
const tickTimes = fc
  .tuple(
    // The second Sunday of March to the first of April, October, November, and any other time within three years.
    fc.oneof(
      fc.constantFrom('2026-03-05', '2026-03-25', '2026-04-02', '2026-10-01', '2026-10-22', '2026-10-30'),
      fc
        .integer({ min: 0, max: 1_000 })
        .map((days) => new Date(Date.parse('2025-01-01') + days * DAY).toISOString().slice(0, 10)),
    ),
    fc.integer({ min: 0, max: 24 * 60 - 1 }),
    fc.array(fc.integer({ min: 1, max: 24 * 60 }), { minLength: 1, maxLength: 60 }),
  )
  .map(([date, minute, gaps]) => {
    const times = [Date.parse(date) + minute * MINUTE];
    for (const gap of gaps) times.push(defined(times.at(-1)) + gap * MINUTE);
    return times;
  });

describe('who is due', () => {
  test('every day of a merchant becomes due exactly once, whatever the ticks', () =>
    forAll([zones, timesOfDay, tickTimes], { numRuns: 500 }, (timeZone, reportAt, times) => {
      const days = reportedOver({ timeZone, reportAt }, times);
      for (const [index, day] of days.slice(1).entries()) expect(day).toBe(dayAfter(defined(days[index])));
      // The reported days are those that the wall clock passed. A clock change at the ends may add or remove an hour.
      const spanned = (defined(times.at(-1)) - defined(times[0])) / DAY;
      expect(Math.abs(days.length - spanned)).toBeLessThanOrEqual(1 + 1 / 24);
    }));

  test('a day becomes due in the window in which the wall clock of the next day reaches reportAt', () =>
    forAll([zones, timesOfDay, tickTimes], { numRuns: 200 }, (timeZone, reportAt, times) => {
      for (const [index, until] of times.slice(1).entries()) {
        const since = defined(times[index]);
        for (const day of reportedOver({ timeZone, reportAt }, [since, until])) {
          const moment = `${dayAfter(day)} ${reportAt}`;
          // The clock may have gone back since then, by an hour at most.
          const wasReached = Array.from({ length: 61 }).some(
            (_, minutes) => wallClock(until - minutes * MINUTE, timeZone) >= moment,
          );
          expect(wasReached).toBe(true);
          // An hour before the window that time was not yet reached, even if the clock has changed since then.
          expect(wallClock(since - HOUR, timeZone) < moment).toBe(true);
        }
      }
    }));

  test('lookback counts from the reported day', () => {
    const scheduledTime = '2026-11-21T03:00:00Z';
    const days = ['2026-11-20', '2026-11-19', '2026-11-17', '2026-11-13'];
    expect(due({}, '2026-11-21T02:45:00Z', scheduledTime)).toEqual([
      { merchantCode: '700001', days, send: true, scheduledTime },
    ]);
  });

  test('two due days of one window come before their lookback days, and no day appears twice', () => {
    // 06:00 on the 28th and on the 29th: the night between is one hour shorter.
    const berlin = { timeZone: 'Europe/Berlin', lookbackDays: [1, 3] };
    const [item] = due(berlin, '2026-03-28T04:30:00Z', '2026-03-29T04:15:00Z');
    expect(item?.days).toEqual(['2026-03-27', '2026-03-28', '2026-03-26', '2026-03-24', '2026-03-25']);
  });

  test('a merchant is not due for a day before its reportFrom', () => {
    const window = ['2026-11-21T02:45:00Z', '2026-11-21T03:00:00Z'] as const;
    expect(due({ reportFrom: '2026-11-21' }, ...window)).toEqual([]);
    expect(due({ reportFrom: '2026-11-20', lookbackDays: [] }, ...window)).toHaveLength(1);
  });

  test('lookback days before reportFrom are pulled without a mail', () => {
    const items = due({ reportFrom: '2026-11-18' }, '2026-11-21T02:45:00Z', '2026-11-21T03:00:00Z');
    expect(items.map(({ days, send }) => ({ days, send }))).toEqual([
      { days: ['2026-11-20', '2026-11-19'], send: true },
      { days: ['2026-11-17', '2026-11-13'], send: false },
    ]);
  });

  test('send: false applies to all days', () => {
    const items = due({ reportFrom: '2026-11-18' }, '2026-11-21T02:45:00Z', '2026-11-21T03:00:00Z', false);
    expect(items.map(({ send }) => send)).toEqual([false]);
  });

  test('merchants in the same zone with different hours are told apart', () => {
    const items = dueItems(
      [
        merchant({ merchantCode: 'A', reportAt: '06:00' }),
        merchant({ merchantCode: 'B', reportAt: '06:15' }),
        merchant({ merchantCode: 'C', timeZone: 'Europe/Berlin', reportAt: '06:00' }),
        merchant({ merchantCode: 'D', reportAt: '06:00', lookbackDays: [2] }),
      ],
      { since: '2026-11-21T02:45:00Z', tick: '2026-11-21T03:00:00Z' },
      { scheduledTime: '2026-11-21T03:00:00Z', send: undefined },
    );
    expect(items.map(({ merchantCode, days }) => `${merchantCode} ${days.length}`)).toEqual(['A 4', 'D 2']);
  });
});
