import { describe, expect, it } from 'vitest';
import { listedDays, periodInSubject, periodLine, periodName } from '#mail/formatters/day-formatter.ts';
import { withoutIsolates } from '#mail/formatters/outside-text.ts';
import { textsIn } from '#mail/texts/texts.ts';

const MONTH = { period: '2026-11', from: '2026-11-01', to: '2026-11-30' };
const WEEK = { period: '2026-W47', from: '2026-11-15', to: '2026-11-21' };
const OF_TWO_MONTHS = { period: '2026-W49', from: '2026-11-29', to: '2026-12-05' };
const OF_TWO_YEARS = { period: '2026-W53', from: '2026-12-27', to: '2027-01-02' };
const DAY = { period: '2026-11-20', from: '2026-11-20', to: '2026-11-20' };

/** No-break spaces are shown as spaces. */
const printed = (text: string) => withoutIsolates(text).replaceAll('\u00A0', ' ');

describe('a period', () => {
  it.each([
    ['en', MONTH, 'November 2026'],
    ['en', WEEK, 'Week of 15–21 November 2026 (2026-W47)'],
    ['en', OF_TWO_MONTHS, 'Week of 29 November – 5 December 2026 (2026-W49)'],
    ['en', OF_TWO_YEARS, 'Week of 27 December 2026 – 2 January 2027 (2026-W53)'],
    ['en', DAY, 'Friday, 20 November 2026'],
    ['ar', MONTH, 'نوفمبر 2026'],
    ['ar', WEEK, 'الأسبوع من 15 إلى 21 نوفمبر 2026 (2026-W47)'],
    ['ar', OF_TWO_MONTHS, 'الأسبوع من 29 نوفمبر إلى 5 ديسمبر 2026 (2026-W49)'],
    ['ar', OF_TWO_YEARS, 'الأسبوع من 27 ديسمبر 2026 إلى 2 يناير 2027 (2026-W53)'],
    ['ar', DAY, 'يوم الجمعة 20 نوفمبر 2026'],
  ] as const)('has a line of its own in %s: %o', (language, period, line) => {
    expect(printed(periodLine(period, textsIn(language)))).toBe(line);
  });

  it.each([
    [MONTH, '2026-12-01', 'November 2026'],
    [WEEK, '2026-11-22', 'Week of 15–21 Nov'],
    [WEEK, '2027-01-05', 'Week of 15–21 Nov 2026'],
    [OF_TWO_MONTHS, '2026-12-06', 'Week of 29 Nov – 5 Dec'],
    [OF_TWO_YEARS, '2027-01-03', 'Week of 27 Dec – 2 Jan'],
    [DAY, '2026-11-21', '20 Nov'],
    [DAY, '2027-01-05', '20 Nov 2026'],
  ])('is short in a subject: %o of a mail of %s', (period, mailed, line) => {
    expect(printed(periodInSubject(period, mailed, textsIn('en')))).toBe(line);
  });

  it.each([
    [MONTH, 'November 2026'],
    [WEEK, '15–21 Nov 2026'],
    [DAY, '20 Nov 2026'],
  ])('is a name in a sentence: %o', (period, name) => {
    expect(printed(periodName(period, textsIn('en')))).toBe(name);
  });
});

it.each([
  [[], ''],
  [['2026-11-14'], '14 Nov'],
  [['2026-11-14', '2026-11-20', '2026-11-21', '2026-11-22'], '14 Nov, 20–22 Nov'],
  [['2026-11-30', '2026-12-01', '2026-12-03'], '30 Nov – 1 Dec, 3 Dec'],
])('days that follow each other are one: %j', (days, listed) => {
  expect(printed(listedDays(days, textsIn('en')))).toBe(listed);
});
