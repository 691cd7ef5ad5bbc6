import { describe, expect, it } from 'vitest';
import { readingOf, type DayFigures } from '#records/figures/history.ts';
import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { amountSegments, extremesOf, segmentsOf, trendSection } from '#page/rendering/report/trend.ts';
import { withoutIsolates } from '#mail/formatters/outside-text.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { aDayBefore } from '#support/domain/sealed-manifest.ts';
import { aManifest } from '#support/rendering/reports.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

function percents(
  [paid, notPaid, cancelled, other]: readonly [number, number, number, number],
  most: number,
) {
  const counts = { total: paid + notPaid + cancelled + other, paid, notPaid, cancelled, other };
  return segmentsOf(counts, most).map(({ shade, percent }) => [shade, percent]);
}

describe('the segments of a bar', () => {
  it.each([
    [[999, 1, 0, 0], 1_000, { paid: 99, notPaid: 1 }],
    [[997, 1, 1, 1], 1_000, { paid: 97, notPaid: 1, cancelled: 1, other: 1 }],
    [[50, 25, 25, 0], 100, { paid: 50, notPaid: 25, cancelled: 25 }],
    [[1, 0, 0, 0], 1_000_000, { paid: 1 }],
    [[0, 0, 0, 0], 0, {}],
  ] as const)('%j of %i are %j', (counts, most, expected) => {
    expect(percents(counts, most)).toEqual(Object.entries(expected));
  });

  it('show every state that there is, and are no longer than the bar', () => {
    const count = fc.oneof(fc.nat(3), fc.nat(1_000_000));
    forAll([fc.tuple(count, count, count, count), fc.integer({ min: 1, max: 1_000_000 })], (counts, most) => {
      const segments = percents(counts, most);
      expect(segments.map(([shade]) => shade)).toEqual(
        INVOICE_STATES.filter((_, index) => counts[index] !== 0),
      );
      const all = segments.map(([, percent]) => Number(percent));
      expect(Math.min(1, ...all)).toBe(1);
      expect(all.reduce((sum, percent) => sum + percent, 0)).toBeLessThanOrEqual(100);
    });
  });
});

describe('the column of an amount', () => {
  it.each([
    [0n, 1_000n, []],
    [-5n, 1_000n, []],
    [1n, 1_000_000n, [{ shade: 'paid', percent: 1 }]],
    [500n, 1_000n, [{ shade: 'paid', percent: 50 }]],
    [1_000n, 1_000n, [{ shade: 'paid', percent: 100 }]],
    [0n, 0n, []],
  ])('%i of %i is %j', (amount, most, segments) => {
    expect(amountSegments(amount, most)).toEqual(segments);
  });

  it('is no longer than the highest one, for any amounts', () => {
    const amount = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
    forAll([amount, amount], (one, other) => {
      const most = one > other ? one : other;
      for (const { percent } of [one, other].flatMap((each) => [...amountSegments(each, most)])) {
        expect(percent).toBeGreaterThanOrEqual(1);
        expect(percent).toBeLessThanOrEqual(100);
      }
    });
  });
});

describe('the extremes of some days', () => {
  it('are the earliest of equal ones', () => {
    const days = [3n, 7n, 3n, 7n].map((value, index) => ({ day: `2026-11-0${index + 1}`, value }));
    expect(extremesOf(days)).toEqual({ most: days[1], least: days[0] });
  });

  it('are none of fewer than two days', () => {
    expect(extremesOf([])).toBeNull();
    expect(extremesOf([{ day: '2026-11-01', value: 1 }])).toBeNull();
  });
});

const FORMATTER = new FigureFormatter(textsIn('en'), 'KWD', { list: 50, rows: 200, text: 500 });

const dayOf = (date: number) => aDayBefore(`2026-11-${String(date).padStart(2, '0')}`);

it('a trend has the fourteen days up to the reported one', () => {
  const history = Array.from({ length: 19 }, (_, index) => dayOf(index + 1));
  const [section] = trendSection(aManifest(), history, FORMATTER);
  const days = section?.chart?.map(({ label }) => Number(withoutIsolates(label)));
  expect(days).toEqual(Array.from({ length: 14 }, (_, index) => index + 7));
});

describe('a trend is of first readings', () => {
  const trend = (...[manifest, history]: [Parameters<typeof trendSection>[0], DayFigures[]]) =>
    trendSection(manifest, history, FORMATTER)[0];

  it('whatever later revisions say, of the day itself too', () => {
    const asNow = trend(aManifest(), [dayOf(19)]);
    const first = readingOf(aManifest());
    const counts = { total: 9_000, paid: 9_000, notPaid: 0, cancelled: 0, other: 0 };
    expect(trend(aManifest({ revision: 3, counts, first }), [{ ...dayOf(19), counts }])).toEqual(asNow);
    expect(withoutIsolates(asNow?.notes?.[0] ?? '')).toMatch(/^Most paid invoices: 1,301/);
  });

  it('and says so where it does not know all of them', () => {
    const known = trend(aManifest(), [dayOf(19), { ...dayOf(18), first: null }]);
    expect(known?.chart?.slice(-3).map(({ segments }) => segments.length > 0)).toEqual([false, true, true]);
    expect(known?.notes?.[0]).toMatch(/^Each day as first read, where we know it\./);
    expect(trend(aManifest(), [{ ...dayOf(19), first: null }])).toBeUndefined();
    expect(trend(aManifest({ revision: 2 }), [dayOf(19)])).toBeUndefined();
  });
});
