import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../../../functions/shared/core/business-day.ts';
import { daysBefore, figuresOfDay, withDay } from '../../../../functions/shared/core/history.ts';
import type { DayFigures } from '../../../../functions/shared/core/history.ts';
import { sealedManifest } from './sealed-manifest.ts';

const FIRST = '2026-01-01';

function dayFigures(offset: number, revision: number): DayFigures {
  return { ...figuresOfDay(sealedManifest()), day: addDays(FIRST, offset), revision };
}

const entries = fc.array(fc.tuple(fc.nat(120), fc.integer({ min: 1, max: 4 })), { maxLength: 90 });

describe('a history', () => {
  it('is the same in whatever order days were sealed: each with its newest revision, newest day first', () => {
    fc.assert(
      fc.property(entries, fc.nat(), (days, seed) => {
        const all = days.map(([offset, revision]) => dayFigures(offset, revision));
        const shuffled = all
          .map((figures, index) => ({ figures, at: ((index + 1) * (seed + 7_919)) % 104_729 }))
          .sort((one, other) => one.at - other.at)
          .map(({ figures }) => figures);
        const history = shuffled.reduce<DayFigures[]>(withDay, []);
        const newest = new Map<string, number>();
        for (const { day, revision } of all) newest.set(day, Math.max(revision, newest.get(day) ?? 0));
        const expected = [...newest].sort(([one], [other]) => (one < other ? 1 : -1)).slice(0, 60);
        expect(history.map(({ day, revision }) => [day, revision])).toEqual(expected);
      }),
    );
  });

  it('before a day has the four weeks before it and nothing else', () => {
    const history = Array.from({ length: 60 }, (_, offset) => dayFigures(offset, 1)).reduce<DayFigures[]>(
      withDay,
      [],
    );
    const day = addDays(FIRST, 40);
    const before = daysBefore(history, day).map((known) => known.day);
    expect(before).toEqual(Array.from({ length: 28 }, (_, index) => addDays(day, -1 - index)));
  });

  it('holds figures and nothing that tells of a customer', () => {
    expect(Object.keys(figuresOfDay(sealedManifest()))).toEqual([
      'day',
      'revision',
      'balanced',
      'counts',
      'amounts',
      'refunds',
    ]);
    expect(Object.keys(figuresOfDay(sealedManifest()).refunds)).toEqual(['count', 'total']);
  });
});
