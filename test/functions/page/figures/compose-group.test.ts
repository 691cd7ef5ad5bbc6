import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeGroup, memberOfDay, memberOfStatement } from '#page/figures/compose-group.ts';
import { composeStatement } from '#page/figures/compose-statement.ts';
import { periodDays } from '#records/period/period.ts';
import { randomManifests } from '#support/domain/random-manifests.ts';
import { sealedManifest } from '#support/domain/sealed-manifest.ts';
import { aComparedPeriod, aStatement } from '#support/rendering/statements.ts';

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
          const subject = { merchantCode: `7${index}`, currency: 'KWD', charges: [], ...period };
          return memberOfStatement(
            { ...aStatement(), ...composeStatement(subject, pages) },
            { name: 'A shop' },
          );
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
    const before = aComparedPeriod('2026-10', { received: '12.000' });
    const { member } = memberOfStatement(aStatement({ period: '2026-11' }, { before }), { name: 'A shop' });
    expect(member.usual).toEqual({ received: '12.000', total: before.counts.total });
  });

  /** The usual amount of a page whose history has such paid amounts; the day of 700 did not balance. */
  function usual(received: readonly (readonly [day: string, paid: number])[], reportFrom?: string) {
    const history = received.map(([day, paid]) => ({
      ...{ ...sealedManifest(), day, balanced: paid !== 700 },
      amounts: { paid: `${paid}.000`, notPaid: '0.000', cancelled: '0.000', other: '0.000' },
    }));
    const settings = { name: 'A', currency: 'KWD', charges: [], redact: [], reportFrom };
    return memberOfDay({ ...sealedManifest(), day: '2026-11-20', history }, settings).member.usual?.received;
  }

  it('holds a day against the average of its weekday in the four weeks before, of days that balanced', () => {
    const received = [
      ['2026-11-19', 500],
      ['2026-11-13', 10],
      ['2026-11-06', 20],
      ['2026-10-30', 700],
      ['2026-10-23', 60],
      ['2026-10-16', 900],
    ] as const;
    expect(usual(received)).toBe('30.000');
  });

  it('compares no merchant with a time before its reportFrom', () => {
    const received = [
      ['2026-11-13', 40],
      ['2026-11-06', 90],
    ] as const;
    expect(usual(received)).toBe('65.000');
    expect(usual(received, '2026-11-13')).toBe('40.000');
    expect(usual(received, '2026-11-14')).toBeUndefined();
  });
});
