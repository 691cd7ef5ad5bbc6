import { CHARGE_COLUMNS } from '#records/figures/charges.ts';
import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import { daysOf, periodDays } from '#records/period/period.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { composeStatement } from '#page/figures/compose-statement.ts';
import { randomManifests, sealedManifest } from '#support/records/manifests.ts';
import { sumOfTexts } from '#support/records/records.ts';
import { fc, forAll } from '#support/assertions/index.ts';

const SUBJECT = {
  merchantCode: '700001',
  period: '2026-11',
  ...periodDays('2026-11', 'sunday'),
  currency: 'KWD',
  charges: [],
  followed: [],
};
const pages = randomManifests('2026-11-01', 30);

describe('a statement', () => {
  it('is the exact sum of its days', () =>
    forAll([pages], (sealed) => {
      const { counts, amounts, refunds, net, received, days } = composeStatement(SUBJECT, sealed);
      for (const name of ['total', ...INVOICE_STATES] as const) {
        const parts = sealed.map((page) => page.counts[name]);
        const total = parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
        expect(counts[name]).toBe(parts.includes(null) ? null : total);
      }
      for (const state of INVOICE_STATES)
        expect(amounts?.[state] ?? null).toBe(sumOfTexts(sealed.map((page) => page.amounts?.[state])));
      const cameIn = sealed.flatMap((page) => page.received ?? []);
      const isKnown = cameIn.length === sealed.length;
      expect(received?.sum ?? null).toBe(sumOfTexts(sealed.map((page) => page.received?.sum)));
      expect(received?.count ?? null).toBe(isKnown ? cameIn.reduce((sum, one) => sum + one.count, 0) : null);
      expect(net.received).toBe(received?.sum ?? null);
      expect(days.map((day) => day.received?.sum ?? null)).toEqual(days.map((day) => day.net.received));
      expect(refunds.total).toBe(sumOfTexts(sealed.map((page) => page.refunds.total)));
      expect(refunds.saleBasis.total).toBe(sumOfTexts(sealed.map((page) => page.refunds.saleBasis.total)));
      const approved = sealed.flatMap(({ refunds: { byStatus } }) =>
        Object.hasOwn(byStatus, 'approved') ? [byStatus['approved']?.total ?? ''] : [],
      );
      if (approved.length > 0) expect(refunds.byStatus['approved']?.total).toBe(sumOfTexts(approved));
      else expect(Object.keys(refunds.byStatus)).not.toContain('approved');
    }));

  it('has a net only if each day has one, and it is the sum of theirs', () =>
    forAll([pages], (sealed) => {
      const subject = { ...SUBJECT, charges: CHARGE_COLUMNS };
      const { net, days, breakdown } = composeStatement(subject, sealed);
      expect(net.net).toBe(sumOfTexts(days.map((day) => day.net.net)));
      expect(net.unknown.length > 0).toBe(days.some((day) => day.net.net === null));
      if (net.received !== null && net.refunded !== null && net.charges !== null && net.net !== null)
        expect(sumOfTexts([net.net, net.refunded, net.charges])).toBe(net.received);
      expect(breakdown === null).toBe(sealed.some((page) => page.breakdown === null));
    }));

  it('names every page with its revision, and every day that has none', () =>
    forAll([pages, fc.integer({ min: 1, max: 30 })], (sealed, first) => {
      const reportFrom = `2026-11-${first.toString().padStart(2, '0')}`;
      const { days, missing, unbalanced, final } = composeStatement({ ...SUBJECT, reportFrom }, sealed);
      const byDay = new Map(sealed.map((page) => [page.day, page]));
      const all = daysOf(SUBJECT);
      expect(days.map(({ day }) => day)).toEqual(all.filter((day) => byDay.has(day)));
      expect(days.every(({ day, revision }) => byDay.get(day)?.revision === revision)).toBe(true);
      expect(missing).toEqual(all.filter((day) => !byDay.has(day) && day >= reportFrom));
      expect(unbalanced).toEqual(days.filter(({ balanced }) => !balanced).map(({ day }) => day));
      expect(final).toBe(missing.length + unbalanced.length === 0);
    }));

  it('is the same in any order of reading, and another one with any other page', () =>
    forAll([pages, fc.nat()], (sealed, index) => {
      const reversed = composeStatement(SUBJECT, [...sealed].reverse());
      expect(reversed).toEqual(composeStatement(SUBJECT, sealed));
      const changed = sealed[index % Math.max(sealed.length, 1)];
      if (changed === undefined) return;
      const others = sealed.filter((page) => page !== changed);
      const next: Manifest = { ...changed, revision: changed.revision + 1 };
      expect(composeStatement(SUBJECT, [...others, next]).digest).not.toBe(reversed.digest);
      expect(composeStatement(SUBJECT, others).digest).not.toBe(reversed.digest);
    }));

  it('of two currencies knows of each what was open, and what became of it', () => {
    const week = periodDays('2026-W47', 'sunday');
    const outcomes = (day: string, count: number) => ({
      paid: [{ day, count, amount: `${count}.000`, seen: 0, byMethod: [], charges: [] }],
      cancelled: [],
      open: [{ lastDay: null, count: 1, amount: '2.000' }],
      other: { count: 0, amount: '0.000' },
      seen: [],
    });
    const page = (day: string, currency: string, count: number): Manifest => {
      return { ...sealedManifest(), day, currency, outcomes: outcomes(day, count) };
    };
    const followed = [
      { day: '2026-11-10', currency: 'SAR', outcomes: outcomes('2026-11-16', 5) },
      // Of an earlier version: in the registry's currency.
      { day: '2026-11-11', outcomes: outcomes('2026-11-17', 7) },
    ];
    const { byCurrency, openAfter } = composeStatement(
      { ...SUBJECT, period: '2026-W47', ...week, followed },
      [page('2026-11-15', 'KWD', 3), page('2026-11-16', 'SAR', 4)],
    );
    expect(openAfter).toBeNull();
    const left = { count: 2, sum: '4.000' };
    expect(byCurrency).toMatchObject({
      KWD: {
        issued: { count: 4, sum: '5.000' },
        openBefore: { count: 8, sum: '9.000' },
        settled: { paid: { count: 10, sum: '10.000' } },
        openAfter: left,
      },
      SAR: {
        openBefore: { count: 6, sum: '7.000' },
        settled: { paid: { count: 9, sum: '9.000' } },
        openAfter: left,
      },
    });
  });

  it('says when its oldest and its newest page were read', () => {
    const page = (day: string, pulledAt: string) => ({ ...sealedManifest(), day, pulledAt });
    const [oldest, newest] = ['2026-11-02T03:00:00.000Z', '2026-11-09T03:00:00.000Z'];
    const pages = [page('2026-11-01', newest), page('2026-11-02', oldest)];
    expect(composeStatement(SUBJECT, pages).asOf).toEqual({ oldest, newest });
  });
});
