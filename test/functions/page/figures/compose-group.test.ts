import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeGroup, memberOfDay, memberOfStatement } from '#page/figures/compose-group.ts';
import { composeStatement } from '#page/figures/compose-statement.ts';
import type { Statement } from '#page/figures/statement.ts';
import { periodDays } from '#records/period/period.ts';
import { randomManifests } from '#support/domain/random-manifests.ts';
import { sealedManifest } from '#support/domain/sealed-manifest.ts';
import { aComparedPeriod } from '#support/rendering/statements.ts';

const currencies = fc.constantFrom('KWD', 'BHD', 'AED');
/** Thirty merchants with the same kind of day. */
const merchants = randomManifests('2026-11-01', 30).chain((pages) =>
  fc.tuple(
    ...pages.map((page, index) => currencies.map((currency) => ({ page, currency, code: `7${index}` }))),
  ),
);
const SUBJECT = { group: 'all', period: '2026-11-20', from: '2026-11-20', to: '2026-11-20' };

describe("a group's page", () => {
  it('adds up each currency on its own', () => {
    fc.assert(
      fc.property(merchants, (list) => {
        const members = list.map(({ page, currency, code }) =>
          memberOfDay(
            { ...page, merchantCode: code, day: '2026-11-20' },
            { name: code, currency, charges: [], redact: [] },
          ),
        );
        const { byCurrency, final } = composeGroup(SUBJECT, members, [], []);
        expect(Object.keys(byCurrency)).toEqual([...new Set(list.map(({ currency }) => currency))].sort());
        for (const [currency, sum] of Object.entries(byCurrency)) {
          const own = list.filter((one) => one.currency === currency);
          const total = own.reduce((of, { page }) => of + BigInt(page.refunds.total.replace('.', '')), 0n);
          expect(sum.merchants).toBe(own.length);
          expect(BigInt((sum.refunds.total ?? '').replace('.', ''))).toBe(total);
          const cancelled = own.reduce((of, { page }) => of + (page.counts.cancelled ?? 0), 0);
          expect(sum.counts.cancelled).toBe(cancelled);
        }
        expect(final).toBe(list.every(({ page }) => page.balanced));
      }),
    );
  });

  it('of a month is the sum of the statements of its merchants', () => {
    fc.assert(
      fc.property(fc.array(randomManifests('2026-11-01', 30), { maxLength: 4 }), (months) => {
        const period = { period: '2026-11', ...periodDays('2026-11', 'sunday') };
        const members = months.map((pages, index) => {
          const subject = {
            merchantCode: `7${index}`,
            currency: 'KWD',
            charges: [],
            followed: [],
            ...period,
          };
          const content = composeStatement(subject, pages);
          const rest = {
            revision: 1,
            sealedAt: '',
            scheduledTime: null,
            before: null,
            lastYear: null,
            previous: null,
          };
          const statement: Statement = { ...content, ...rest };
          return memberOfStatement(statement, { name: 'A shop' });
        });
        const { byCurrency } = composeGroup({ group: 'all', ...period }, members, [], []);
        const all = months.flat();
        const total = all.reduce(
          (of, { refunds }) => of + BigInt(refunds.saleBasis.total.replace('.', '')),
          0n,
        );
        expect(BigInt((byCurrency['KWD']?.refunds.saleBasis.total ?? '0').replace('.', ''))).toBe(total);
      }),
    );
  });

  it('holds a month or a week against the period before', () => {
    const subject = { merchantCode: '7', currency: 'KWD', charges: [], followed: [], period: '2026-11' };
    const content = composeStatement({ ...subject, ...periodDays('2026-11', 'sunday') }, []);
    const before = aComparedPeriod('2026-10', { received: '12.000' });
    const rest = { revision: 1, sealedAt: '', scheduledTime: null, previous: null };
    const { member } = memberOfStatement({ ...content, ...rest, before }, { name: 'A shop' });
    expect(member.usual).toEqual({ received: '12.000', total: before.counts.total });
  });

  it('holds a day against the average of its weekday in the four weeks before, of days that balanced', () => {
    const { counts } = sealedManifest();
    const other = { revision: 1, balanced: true, counts, refunds: { count: 0, total: '0.000' } };
    const received = [
      ['2026-11-19', '500.000'],
      ['2026-11-13', '10.000'],
      ['2026-11-06', '20.000'],
      ['2026-10-30', '700.000'],
      ['2026-10-23', '60.000'],
      ['2026-10-16', '900.000'],
    ] as const;
    const history = received.map(([day, paid]) => ({
      ...other,
      day,
      balanced: paid !== '700.000',
      amounts: { paid, notPaid: '0.000', cancelled: '0.000', other: '0.000' },
    }));
    const page = { ...sealedManifest(), day: '2026-11-20', history };
    const { member } = memberOfDay(page, { name: 'A', currency: 'KWD', charges: [], redact: [] });
    expect(member.usual?.received).toBe('30.000');
  });

  it('compares no merchant with a time before its reportFrom', () => {
    const figures = {
      revision: 1,
      balanced: true,
      counts: { total: 7, paid: 4, notPaid: 3, cancelled: 0, other: 0 },
      amounts: { paid: '40.000', notPaid: '1.000', cancelled: '0.000', other: '0.000' },
      refunds: { count: 0, total: '0.000' },
    };
    const page = {
      ...sealedManifest(),
      day: '2026-11-20',
      history: [
        { ...figures, day: '2026-11-13' },
        { ...figures, day: '2026-11-06', amounts: { ...figures.amounts, paid: '90.000' } },
      ],
    };
    const settings = { name: 'A', currency: 'KWD', charges: [], redact: [] };
    const usual = (reportFrom?: string) => memberOfDay(page, { ...settings, reportFrom }).member.usual;
    expect(usual()?.received).toBe('65.000');
    expect(usual('2026-11-13')?.received).toBe('40.000');
    expect(usual('2026-11-14')).toBeNull();
  });
});
