import { addDays } from '#records/day/business-day.ts';
import { readingOf, type DayFigures } from '#records/figures/history.ts';
import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { withoutIsolates } from '#mail/formatters/outside-text.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { againstOthers } from '#page/rendering/report/against-others.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import { amountSegments, extremesOf, segmentsOf, trendSection } from '#page/rendering/report/trend.ts';
import { aDayBefore } from '#support/records/manifests.ts';
import { aManifest, aReport, NO_AMOUNTS } from '#support/rendering/reports.ts';
import { defined, fc, forAll } from '#support/assertions/index.ts';

/** A Friday. */
const DAY = '2026-11-20';
const ROOM = { list: 50, rows: 200, text: 500 };

function sealed(day: string, paid: number | null, of: Parameters<typeof aDayBefore>[1] = {}): DayFigures {
  return aDayBefore(day, { counts: { total: paid, paid, notPaid: 0, cancelled: 0 }, ...of });
}

function present(changes: Partial<Manifest> = {}): Manifest {
  return aManifest({
    day: DAY,
    counts: { total: 10, paid: 10, notPaid: 0, cancelled: 0, other: 0 },
    amounts: { ...NO_AMOUNTS, paid: '10.000' },
    received: null,
    ...changes,
  });
}

interface Compared {
  manifest?: Manifest;
  currency?: string;
  language?: 'en' | 'ar';
}

function against(history: readonly DayFigures[], of: Compared = {}) {
  const { manifest = present(), currency = 'KWD', language = 'en' } = of;
  const formatter = new FigureFormatter(textsIn(language), currency, ROOM);
  const merchant = { timeZone: 'Asia/Kuwait', currency };
  const { compared, notes } = againstOthers({ ...manifest, history }, merchant, formatter);
  const head = compared && withoutIsolates(compared.head);
  return { compared, head, note: withoutIsolates(notes.join('\n')) };
}

describe('a day is compared with its weekday', () => {
  const fridays = (...paid: number[]) =>
    paid.map((count, index) => sealed(addDays(DAY, -7 * (index + 1)), count));

  it('of the four weeks before and no other day, by first readings, however many were paid later', () => {
    const others = [1, 6, 8, 35].map((days) => sealed(addDays(DAY, -days), 1_000));
    const counts = { ...present().counts, paid: 60 };
    const corrected = fridays(4, 5, 6, 7).map((day) => ({ ...day, revision: 4, counts }));
    const { compared, head, note } = against([...others, ...corrected]);
    // The average of 4, 5, 6 and 7 is 5.5.
    expect(compared?.differences.paid).toBe(45n);
    expect(head).toBe('vs. Fridays');
    expect(note).toMatch(/^Average of 4 Fridays, as first read\./);
  });

  it('and says that there is one, or how many: some did not balance', () => {
    const one = against(fridays(4));
    expect(one.head).toBe('vs. earlier Friday');
    expect(one.note).toMatch(/^One earlier Friday, as first read\./);
    const doubtful = sealed('2026-10-30', 900, { balanced: false });
    const { compared, note } = against([...fridays(4, 6), doubtful]);
    expect(compared?.differences.paid).toBe(50n);
    expect(note).toContain('Average of 2 Fridays');
  });

  it('to a tenth of an invoice', () =>
    forAll(
      [fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 4 }), fc.nat(1_000_000)],
      (earlier, now) => {
        const manifest = present({ counts: { ...present().counts, paid: now } });
        const { paid: count } = defined(against(fridays(...earlier), { manifest }).compared).differences;
        const exact = now - earlier.reduce((sum, paid) => sum + paid, 0) / earlier.length;
        expect(Math.abs(Number(count) / 10 - exact)).toBeLessThanOrEqual(0.05 + 1e-6);
      },
    ));

  it('in every figure that both know', () => {
    const { differences } = defined(against([sealed('2026-11-13', null)]).compared);
    expect(differences).toMatchObject({ paid: null, total: null, notPaid: 0n });
    const unknown = { total: null, paid: null, notPaid: null, cancelled: null, other: null };
    const blind = present({ counts: unknown, amounts: null });
    expect(against(fridays(4), { manifest: blind })).toMatchObject({ compared: null, note: '' });
    const manifest = present({ counts: { ...present().counts, cancelled: null } });
    const { text } = renderReport(aReport({ history: fridays(4), manifest }));
    expect(text).toContain('Cancelled: unknown · – · ');
  });

  it('of its own currency', () => {
    const inDollars = { ...sealed('2026-11-06', 900), currency: 'USD' };
    expect(against([...fridays(4), inDollars]).head).toBe('vs. earlier Friday');
  });

  it.each([1, 2, 3])('and in Arabic says so of %i days without bending the name of the day', (days) => {
    const { note } = against(fridays(4, 5, 6).slice(0, days), { language: 'ar' });
    expect(note).toContain(
      days === 1 ? 'المقارنة بيوم الجمعة سابق واحد' : `أيام الجمعة السابقة (عددها ${days})`,
    );
  });
});

describe('money is compared', () => {
  const received = { ...defined(aManifest().received), count: 3, sum: '70.500' };
  const history = ['20.000', '41.001', '30.000'].map((cameIn, index) =>
    sealed(addDays(DAY, -7 * (index + 1)), 4, { paid: '10.000', cameIn }),
  );

  it.each([
    ['KWD', '+40.166'],
    ['USD', '+40.17'],
    ['JPY', '+40.500'],
  ])('by what came in, with an average in places of %s', (currency, difference) => {
    const { note } = against(history, { manifest: present({ received }), currency });
    expect(note).toContain(`Came in: ${difference}\u00A0${currency}.`);
  });

  it('by what was paid where a first reading does not know what came in', () => {
    const before = sealed('2026-10-23', 4, { paid: '10.000' });
    const { note } = against([...history, before], { manifest: present({ received }) });
    expect(note).toContain('Paid: 0.000\u00A0KWD.');
  });
});

describe('a day is not compared', () => {
  const friday = sealed('2026-11-13', 4);
  const other = { ...readingOf(present()), balanced: false };

  it.each([
    ['with the day before', [sealed('2026-11-19', 7)], present()],
    ['with nothing', [], present()],
    ['when a later revision says something else', [friday], present({ revision: 2, first: other })],
    ['when nobody knows its first reading', [friday], present({ revision: 2 })],
  ])('%s', (_what, history, manifest) => {
    expect(against(history, { manifest })).toMatchObject({ compared: null, note: '' });
  });

  it('except by a later revision that says the same of it', () => {
    const manifest = present({ revision: 2, first: readingOf(present()) });
    expect(against([friday], { manifest })).toEqual(against([friday]));
  });

  it('yet, and says so, where first readings of its weekday are not known', () => {
    const { compared, note } = against([{ ...friday, first: null }]);
    expect(compared).toBeNull();
    expect(note).toBe('Not compared yet: we do not know what earlier Fridays looked like when first read.');
  });
});

describe('a day on which the usual is another', () => {
  const eid = (changes: Partial<Manifest> = {}) => present({ day: '2025-03-30', ...changes });

  it('is compared with the same one of the year before', () => {
    const history = [sealed('2025-03-23', 99), sealed('2024-04-10', 4)];
    const { compared, head, note } = against(history, { manifest: eid() });
    expect(compared?.differences.paid).toBe(60n);
    expect(head).toBe('vs. year before');
    expect(note).toMatch(
      /^Compared with the same day a year before \(10 Apr 2024; Eid al-Fitr\), each day as first read\./,
    );
  });

  it('else says why it is not compared', () => {
    expect(against([sealed('2025-03-23', 99)], { manifest: eid() })).toMatchObject({
      compared: null,
      note: 'Not compared: this day is not a usual Sunday (Eid al-Fitr).',
    });
    const after = present({ day: '2025-04-06' });
    const history = ['2025-03-30', '2025-03-23', '2025-03-16', '2025-03-09'].map((day) => sealed(day, 9));
    expect(against(history, { manifest: after })).toMatchObject({
      compared: null,
      note: 'Not compared: the Sundays before were not usual ones (Eid al-Fitr, Ramadan).',
    });
  });
});

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

const FORMATTER = new FigureFormatter(textsIn('en'), 'KWD', ROOM);

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
