import { describe, expect, it } from 'vitest';
import { addDays } from '#records/day/business-day.ts';
import {
  daysBefore,
  figuresOfDay,
  firstReadingOf,
  isSameHistory,
  mayLack,
  readingOf,
  withDays,
} from '#records/figures/history.ts';
import type { DayFigures, FollowedDay } from '#records/figures/history.ts';
import { sealedManifest } from '#support/domain/sealed-manifest.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const FIRST = '2026-01-01';

function dayFigures(offset: number, revision: number): DayFigures {
  return { ...figuresOfDay(sealedManifest()), day: addDays(FIRST, offset), revision };
}

const entries = fc.array(fc.tuple(fc.nat(120), fc.integer({ min: 1, max: 4 })), { maxLength: 90 });

describe('a history', () => {
  it('is the same in whatever order days were sealed: each day with its newest revision, newest day first', () =>
    forAll([entries, fc.nat()], (days, seed) => {
      const all = days.map(([offset, revision]) => dayFigures(offset, revision));
      const at = (figures: DayFigures) => ((all.indexOf(figures) + 1) * (seed + 7_919)) % 104_729;
      const shuffled = all.toSorted((one, other) => at(one) - at(other));
      const history = withDays([], shuffled);
      const newest = new Map<string, number>();
      for (const { day, revision } of all) newest.set(day, Math.max(revision, newest.get(day) ?? 0));
      const expected = [...newest].sort(([one], [other]) => (one < other ? 1 : -1)).slice(0, 60);
      expect(history.map(({ day, revision }) => [day, revision])).toEqual(expected);
      const oneByOne = shuffled.reduce<DayFigures[]>((known, added) => withDays(known, [added]), []);
      expect(oneByOne).toEqual(history);
    }));

  it('knows which comparisons disagreed, each once, if all of them have names', () => {
    const difference = { what: 'a total', service: 1, rows: 2 };
    const differences = ['statsTotal', 'statsPaid', 'statsTotal'].map((name) => ({ name, ...difference }));
    const unbalanced = { ...sealedManifest(), balanced: false, differences };
    expect(figuresOfDay(unbalanced).disagreed).toEqual(['statsPaid', 'statsTotal']);
    for (const name of [undefined, 'of another version']) {
      const other = { ...difference, ...(name !== undefined && { name }) };
      expect(figuresOfDay({ ...unbalanced, differences: [...differences, other] }).disagreed).toBe(undefined);
    }
    expect('disagreed' in figuresOfDay(sealedManifest())).toBe(false);
  });

  it('keeps the names of what disagreed when an earlier version writes the same revision without them', () => {
    const known = { ...dayFigures(0, 2), balanced: false, disagreed: ['statsPaid'] };
    const forgotten = { ...dayFigures(0, 2), balanced: false };
    expect(withDays([known], [forgotten])).toEqual([known]);
    expect(withDays([forgotten], [known])).toEqual([known]);
    expect(withDays([known], [{ ...forgotten, revision: 3 }])).toMatchObject([{ revision: 3 }]);
  });

  it('keeps the first reading of a day whatever later revisions say', () =>
    forAll([fc.shuffledSubarray([1, 2, 3, 4], { minLength: 1 }), fc.nat(4)], (revisions, forgetful) => {
      const first = readingOf(sealedManifest());
      const sealed = revisions.map((revision) => ({
        ...dayFigures(0, revision),
        counts: { total: revision, paid: 0, notPaid: 0, cancelled: 0, other: revision },
        // A version before may have sealed one of them.
        first: revision === forgetful ? null : first,
      }));
      const [known] = sealed.reduce<FollowedDay[]>((history, added) => withDays(history, [added]), []);
      expect(known?.revision).toBe(Math.max(...revisions));
      expect(known?.first).toEqual(revisions.every((one) => one === forgetful) ? null : first);
    }));

  it('knows the first reading of a first revision, and of later ones what they say of it', () => {
    const page = sealedManifest();
    const first = { ...readingOf(page), balanced: false };
    expect(firstReadingOf(page)).toEqual(readingOf(page));
    expect(readingOf(page)).toMatchObject({
      received: { count: 6, sum: '60.000' },
      refunds: { count: 2, total: '7.500' },
    });
    expect(firstReadingOf({ ...page, revision: 2 })).toBeNull();
    expect(firstReadingOf({ ...page, revision: 2, first })).toEqual(first);
    // Of an unfinished day.
    expect(firstReadingOf({ ...page, first: null })).toBeNull();
  });

  it('is the same as another one with the same days and figures, and as no other', () => {
    const history = withDays([], [dayFigures(0, 1), dayFigures(1, 1)]);
    expect(isSameHistory(history, withDays([], [dayFigures(1, 1), dayFigures(0, 1)]))).toBe(true);
    expect(isSameHistory(history, history.slice(1))).toBe(false);
    expect(isSameHistory(history, withDays(history, [dayFigures(0, 2)]))).toBe(false);
  });

  it('before a day has the four weeks before it and nothing else', () => {
    const sealed = Array.from({ length: 60 }, (_, offset) => dayFigures(offset, 1));
    const history = withDays([], sealed);
    const day = addDays(FIRST, 40);
    const before = daysBefore(history, day).map((known) => known.day);
    expect(before).toEqual(Array.from({ length: 28 }, (_, index) => addDays(day, -1 - index)));
  });

  it('may lack a day that it does not contain, unless it is full and all its days are newer', () => {
    const sealed = Array.from({ length: 60 }, (_, offset) => dayFigures(offset * 2, 1));
    const full = withDays([], sealed);
    expect(mayLack([], FIRST)).toBe(true);
    expect(mayLack(full.slice(0, 59), addDays(FIRST, -1))).toBe(true);
    expect([-1, 0, 1, 2].filter((offset) => mayLack(full, addDays(FIRST, offset)))).toEqual([1]);
  });

  it('contains figures and nothing about customers', () => {
    const figures = figuresOfDay(sealedManifest());
    const names = 'day revision balanced counts amounts refunds currency first followed told';
    expect(Object.keys(figures).join(' ')).toBe(names);
    expect(Object.keys(figures.refunds)).toEqual(['count', 'total']);
  });
});
