import { describe, expect, it } from 'vitest';
import { daysUntil } from '#bench/days.ts';
import { LAST_DAY, changedDays, dailyRuns } from '#bench/lake/month.ts';
import { objectsOfMonth } from '#bench/lake/tables.ts';

const days = daysUntil(LAST_DAY, 30);
const runs = dailyRuns(days, 300);

describe('the pages of a month', () => {
  it('has every page once, and about a tenth of them again after 1, 3 or 7 days', () => {
    const pages = runs.flatMap((run) => run.pages);
    const first = pages.filter(({ revision }) => revision === 1);
    expect(new Set(first.map(({ day, merchant }) => `${day} ${merchant}`)).size).toBe(9_000);
    expect(first).toHaveLength(9_000);
    expect(pages.length - first.length).toBeGreaterThan(700);
    expect(pages.length - first.length).toBeLessThan(1_000);
    for (const { day, pages: sealed } of runs) {
      for (const page of sealed) {
        const later = (Date.parse(day) - Date.parse(page.day)) / 86_400_000;
        expect(page.revision === 1 ? [0] : [1, 3, 7]).toContain(later);
      }
    }
  });

  it('changes four days in nearly every run, as the usual lookback days do', () => {
    const changed = runs.slice(7).map((run) => changedDays(run));
    for (const days of changed) expect(days.length).toBeGreaterThanOrEqual(3);
    expect(changed.filter((days) => days.length === 4).length).toBeGreaterThan(20);
  });

  it('is the same each time', () => {
    expect(dailyRuns(days, 300)).toEqual(runs);
  });
});

const LARGE = { merchants: 10_000, buckets: 16, lookback: 3, bytes: 6_000_000_000 };

describe('the objects that a question about a month opens', () => {
  it('are at most 2,000 for ten thousand merchants, even if nothing is optimised for a month', () => {
    expect(objectsOfMonth({ ...LARGE, merges: 1 })).toBe(16 * 3 + 6);
    expect(objectsOfMonth({ ...LARGE, merges: 7 })).toBe(16 * 26 + 18);
    expect(objectsOfMonth({ ...LARGE, merges: 29 })).toBeLessThanOrEqual(2_000);
  });

  it('do not grow with the merchants until files have their target size', () => {
    const optimised = (merchants: number, bytes: number) =>
      objectsOfMonth({ ...LARGE, merchants, bytes, merges: 0 });
    expect(optimised(300, 180_000_000)).toBe(20);
    expect(optimised(10_000, 6_000_000_000)).toBe(20);
    expect(optimised(100_000, 60_000_000_000)).toBe(16 * 8 + 4);
    // Fewer merchants than buckets leave buckets empty.
    expect(optimised(5, 1_000_000)).toBe(9);
  });
});
