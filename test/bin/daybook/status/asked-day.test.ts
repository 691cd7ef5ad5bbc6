import { expect, it } from 'vitest';
import { askedDay } from '#bin/daybook/status/asked-day.ts';

/** 23:30 in London on the 20th, and 02:30 of the 21st in Kuwait. */
const NOW = Date.parse('2026-11-20T23:30:00Z');

it.each([
  ['yesterday', 'Europe/London', '2026-11-19'],
  ['yesterday', 'Asia/Kuwait', '2026-11-20'],
  ['today', 'Asia/Kuwait', '2026-11-21'],
  ['2026-11-01', 'Asia/Kuwait', '2026-11-01'],
])('takes "%s" in %s for %s', (wanted, timeZone, day) => {
  expect(askedDay(wanted, NOW)(timeZone)).toBe(day);
});

it.each([['2026-02-30'], ['tomorrow'], [''], ['2026-11-22']])('does not take "%s"', (wanted) => {
  expect(() => askedDay(wanted, NOW)).toThrow('the day');
});
