import { describe, expect, it } from 'vitest';
import {
  dayLine,
  dayOfTrend,
  listedDays,
  longDay,
  moment,
  periodInSubject,
  periodLine,
  periodName,
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
const blanks = (text: string) => printed(text).replaceAll('~', ' ');

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

const MONTH = { period: '2026-11', from: '2026-11-01', to: '2026-11-30' };
const WEEK = { period: '2026-W47', from: '2026-11-15', to: '2026-11-21' };
const OF_TWO_MONTHS = { period: '2026-W49', from: '2026-11-29', to: '2026-12-05' };
const OF_TWO_YEARS = { period: '2026-W53', from: '2026-12-27', to: '2027-01-02' };
const ONE_DAY = { period: '2026-11-20', from: '2026-11-20', to: '2026-11-20' };

describe('a period', () => {
  it.each([
    ['en', MONTH, 'November 2026'],
    ['en', WEEK, 'Week of 15–21 November 2026 (2026-W47)'],
    ['en', OF_TWO_MONTHS, 'Week of 29 November – 5 December 2026 (2026-W49)'],
    ['en', OF_TWO_YEARS, 'Week of 27 December 2026 – 2 January 2027 (2026-W53)'],
    ['en', ONE_DAY, 'Friday, 20 November 2026'],
    ['ar', MONTH, 'نوفمبر 2026'],
    ['ar', WEEK, 'الأسبوع من 15 إلى 21 نوفمبر 2026 (2026-W47)'],
    ['ar', OF_TWO_MONTHS, 'الأسبوع من 29 نوفمبر إلى 5 ديسمبر 2026 (2026-W49)'],
    ['ar', OF_TWO_YEARS, 'الأسبوع من 27 ديسمبر 2026 إلى 2 يناير 2027 (2026-W53)'],
    ['ar', ONE_DAY, 'يوم الجمعة 20 نوفمبر 2026'],
  ] as const)('has a line of its own in %s: %o', (language, period, line) => {
    expect(blanks(periodLine(period, textsIn(language)))).toBe(line);
  });

  it.each([
    [MONTH, '2026-12-01', 'November 2026'],
    [WEEK, '2026-11-22', 'Week of 15–21 Nov'],
    [WEEK, '2027-01-05', 'Week of 15–21 Nov 2026'],
    [OF_TWO_MONTHS, '2026-12-06', 'Week of 29 Nov – 5 Dec'],
    [OF_TWO_YEARS, '2027-01-03', 'Week of 27 Dec – 2 Jan'],
    [ONE_DAY, '2026-11-21', '20 Nov'],
    [ONE_DAY, '2027-01-05', '20 Nov 2026'],
  ])('is short in a subject: %o of a mail of %s', (period, mailed, line) => {
    expect(blanks(periodInSubject(period, mailed, textsIn('en')))).toBe(line);
  });

  it.each([
    [MONTH, 'November 2026'],
    [WEEK, '15–21 Nov 2026'],
    [ONE_DAY, '20 Nov 2026'],
  ])('is a name in a sentence: %o', (period, name) => {
    expect(blanks(periodName(period, textsIn('en')))).toBe(name);
  });
});

it.each([
  [[], ''],
  [['2026-11-14'], '14 Nov'],
  [['2026-11-14', '2026-11-20', '2026-11-21', '2026-11-22'], '14 Nov, 20–22 Nov'],
  [['2026-11-30', '2026-12-01', '2026-12-03'], '30 Nov – 1 Dec, 3 Dec'],
])('days that follow each other are one: %j', (days, listed) => {
  expect(blanks(listedDays(days, textsIn('en')))).toBe(listed);
});
