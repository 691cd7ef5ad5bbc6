import { describe, expect, it } from 'vitest';
import { addDays, weekdayOf } from '#records/day/business-day.ts';
import { likeDays, occasionsOf } from '#records/day/occasions.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

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
