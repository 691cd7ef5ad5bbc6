import { describe, expect, it } from 'vitest';
import {
  dayLine,
  dayOfTrend,
  longDay,
  moment,
  shortDay,
  timeOfDay,
  weekday,
  zoneName,
} from '#mail/formatters/day-formatter.ts';
import { withoutIsolates } from '#mail/formatters/outside-text.ts';
import { textsIn } from '#mail/texts/texts.ts';

const DAY = '2026-11-20';
const INSTANT = '2026-11-21T03:04:07.480Z';
const english = textsIn('en');
const arabic = textsIn('ar');

/** `~` is a no-break space. */
const printed = (text: string) => withoutIsolates(text).replaceAll('\u00A0', '~');

describe('a date', () => {
  it.each([
    ['long', longDay(DAY, english), 'Friday, 20~November~2026'],
    ['long', longDay(DAY, arabic), 'الجمعة، 20~نوفمبر~2026'],
    ['on a line', dayLine(DAY, english), 'Friday, 20~November~2026'],
    ['on a line', dayLine(DAY, arabic), 'يوم~الجمعة 20~نوفمبر~2026'],
    ['short', shortDay(DAY, english), '20~Nov~2026'],
    ['short', shortDay(DAY, arabic), '20~نوفمبر~2026'],
    ['of the trend', dayOfTrend(DAY, english), 'Fri~20'],
    ['of the trend', dayOfTrend(DAY, arabic), 'الجمعة~20'],
    ['as a weekday', weekday(DAY, english), 'Friday'],
    ['as a weekday', weekday(DAY, arabic), 'الجمعة'],
    ['as a time', timeOfDay(INSTANT, 'Asia/Kuwait', english), '06:04'],
    ['as a moment', moment(INSTANT, 'Asia/Kuwait', english), '21~November~2026 at~06:04 (Kuwait~time)'],
    ['as a moment', moment(INSTANT, 'Asia/Kuwait', arabic), '21~نوفمبر~2026، الساعة~06:04 (بتوقيت~الكويت)'],
    // The evening before, in the zone.
    [
      'as a moment',
      moment('2026-01-01T00:30:00Z', 'America/New_York', english),
      '31~December~2025 at~19:30 (New~York~time)',
    ],
    [
      'as a moment',
      moment('2026-07-01T21:00:00Z', 'Asia/Kuwait', english),
      '2~July~2026 at~00:00 (Kuwait~time)',
    ],
  ])('%s is %s: %s', (_, text, expected) => {
    expect(printed(text)).toBe(expected);
  });

  it('has a name for every month and every weekday in every language', () => {
    for (const texts of [english, arabic]) {
      const days = Array.from({ length: 366 }, (__, index) =>
        new Date(Date.UTC(2028, 0, 1 + index)).toISOString().slice(0, 10),
      );
      for (const write of [longDay, dayLine, shortDay, dayOfTrend]) {
        const written = days.map((day) => printed(write(day, texts)));
        for (const text of written) expect(text).not.toMatch(/[{}]|~~|~$|^[~ ]|، ,|^,/);
      }
      expect(new Set(days.map((day) => longDay(day, texts))).size).toBe(366);
    }
  });
});

it.each([
  ['Asia/Kuwait', 'Kuwait time', 'بتوقيت الكويت'],
  ['Asia/Riyadh', 'Riyadh time', 'بتوقيت الرياض'],
  ['America/New_York', 'New York time', 'بتوقيت نيويورك'],
  // No text of ours: the city of the id.
  ['America/Argentina/Buenos_Aires', 'Buenos Aires time', 'بتوقيت Buenos Aires'],
  ['Africa/Nairobi', 'Nairobi time', 'بتوقيت Nairobi'],
  ['UTC', 'UTC', 'بالتوقيت العالمي المنسق'],
  ['Etc/UTC', 'UTC', 'بالتوقيت العالمي المنسق'],
  ['Etc/GMT-3', 'UTC+03:00', 'بتوقيت UTC+03:00'],
  ['Etc/GMT+11', 'UTC-11:00', 'بتوقيت UTC-11:00'],
  ['+05:30', 'UTC+05:30', 'بتوقيت UTC+05:30'],
])('a time zone %s is named %s', (zone, inEnglish, inArabic) => {
  expect(withoutIsolates(zoneName(zone, english))).toBe(inEnglish);
  expect(withoutIsolates(zoneName(zone, arabic))).toBe(inArabic);
});
