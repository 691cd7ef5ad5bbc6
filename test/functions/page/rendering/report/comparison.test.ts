import { describe, expect, it } from 'vitest';
import { addDays } from '#records/day/business-day.ts';
import { readingOf, type DayFigures } from '#records/figures/history.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { withoutIsolates } from '#mail/formatters/outside-text.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { againstOthers } from '#page/rendering/report/against-others.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import { aDayBefore } from '#support/domain/sealed-manifest.ts';
import { aManifest, aReport } from '#support/rendering/reports.ts';
import { defined } from '#support/assertions/defined.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

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
    amounts: { paid: '10.000', notPaid: '0.000', cancelled: '0.000', other: '0.000' },
    received: null,
    ...changes,
  });
}

function against(
  history: readonly DayFigures[],
  {
    manifest = present(),
    currency = 'KWD',
    language = 'en',
  }: { manifest?: Manifest; currency?: string; language?: 'en' | 'ar' } = {},
) {
  const formatter = new FigureFormatter(textsIn(language), currency, ROOM);
  const { compared, notes } = againstOthers(
    { ...manifest, history },
    { timeZone: 'Asia/Kuwait', currency },
    formatter,
  );
  return {
    compared,
    head: compared && withoutIsolates(compared.head),
    note: withoutIsolates(notes.join('\n')),
  };
}

describe('a day is compared with its weekday', () => {
  const fridays = (...paid: number[]) =>
    paid.map((count, index) => sealed(addDays(DAY, -7 * (index + 1)), count));

  it('of the four weeks before and no other day', () => {
    const others = [1, 6, 8, 35].map((days) => sealed(addDays(DAY, -days), 1_000));
    const { compared, head, note } = against([...others, ...fridays(4, 5, 6, 7)]);
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

  it('by first readings: equal days do not differ, however many were paid later', () =>
    forAll([fc.nat(50), fc.integer({ min: 1, max: 4 })], (later, weeks) => {
      const { counts } = present();
      const corrected = { ...counts, paid: 10 + later, notPaid: 0 };
      const history = fridays(...Array.from({ length: weeks }, () => 10)).map((day) => ({
        ...day,
        revision: 4,
        counts: corrected,
      }));
      const { compared } = against(history);
      expect(Object.values(defined(compared).differences)).toEqual([0n, 0n, 0n, 0n, 0n]);
    }));

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
  const history = [
    sealed('2026-11-13', 4, { paid: '10.000', cameIn: '20.000' }),
    sealed('2026-11-06', 4, { paid: '10.000', cameIn: '41.001' }),
    sealed('2026-10-30', 4, { paid: '10.000', cameIn: '30.000' }),
  ];

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

  it.each([
    ['with the day before', [sealed('2026-11-19', 7)], present()],
    ['with nothing', [], present()],
    [
      'when a later revision says something else',
      [friday],
      present({ revision: 2, first: { ...readingOf(present()), balanced: false } }),
    ],
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
    expect([compared, note]).toEqual([
      null,
      'Not compared yet: we do not know what earlier Fridays looked like when first read.',
    ]);
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
