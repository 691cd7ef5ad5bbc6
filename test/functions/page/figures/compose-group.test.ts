import { composeGroup, memberOfDay, memberOfStatement } from '#page/figures/compose-group.ts';
import { composeStatement } from '#page/figures/compose-statement.ts';
import { addDays } from '#records/day/business-day.ts';
import { readingOf } from '#records/figures/history.ts';
import { periodDays } from '#records/period/period.ts';
import { randomManifests, aDayBefore, sealedManifest } from '#support/records/manifests.ts';
import { sumOfTexts } from '#support/records/records.ts';
import { aComparedPeriod, aStatement } from '#support/rendering/statements.ts';
import { fc, forAll } from '#support/assertions/index.ts';

const currencies = fc.constantFrom('KWD', 'BHD', 'AED');
/** Thirty merchants with the same kind of day. */
const merchants = randomManifests('2026-11-01', 30).chain((pages) =>
  fc.tuple(
    ...pages.map((page, index) => currencies.map((currency) => ({ page, currency, code: `7${index}` }))),
  ),
);
const DAY = '2026-11-20';
const SETTINGS = { name: 'A', timeZone: 'Asia/Kuwait', currency: 'KWD', charges: [], redact: [] };
const SUBJECT = { group: 'all', period: DAY, from: DAY, to: DAY };

describe("a group's page", () => {
  it('adds up each currency on its own', () =>
    forAll([merchants], (list) => {
      const members = list.map(({ page, currency, code }) =>
        memberOfDay({ ...page, merchantCode: code, day: DAY }, { ...SETTINGS, name: code, currency }),
      );
      const { byCurrency, final } = composeGroup(SUBJECT, members, [], []);
      expect(Object.keys(byCurrency)).toEqual([...new Set(list.map(({ currency }) => currency))].sort());
      for (const [currency, sum] of Object.entries(byCurrency)) {
        const own = list.filter((one) => one.currency === currency);
        expect(sum.merchants).toBe(own.length);
        expect(sum.refunds.total).toBe(sumOfTexts(own.map(({ page }) => page.refunds.total)));
        const cancelled = own.reduce((of, { page }) => of + (page.counts.cancelled ?? 0), 0);
        expect(sum.counts.cancelled).toBe(cancelled);
      }
      expect(final).toBe(list.every(({ page }) => page.balanced));
    }));

  it('of a month is the sum of the statements of its merchants', () =>
    forAll([fc.array(randomManifests('2026-11-01', 30), { maxLength: 4 })], (months) => {
      const period = { period: '2026-11', ...periodDays('2026-11', 'sunday') };
      const members = months.map((pages, index) => {
        const subject = { merchantCode: `7${index}`, currency: 'KWD', charges: [], followed: [], ...period };
        const statement = { ...aStatement(), ...composeStatement(subject, pages) };
        return memberOfStatement(statement, { name: 'A shop' });
      });
      const { byCurrency } = composeGroup({ group: 'all', ...period }, members, [], []);
      const total = sumOfTexts(months.flat().map(({ refunds }) => refunds.saleBasis.total));
      expect(byCurrency['KWD']?.refunds.saleBasis.total ?? '0.000').toBe(total);
    }));

  it('holds a month or a week against the period before', () => {
    const before = aComparedPeriod('2026-10', { received: '12.000' });
    const { member } = memberOfStatement(aStatement({ period: '2026-11' }, { before }), { name: 'A shop' });
    expect(member.usual).toEqual({ received: '12.000', total: before.counts.total });
  });

  it('holds a day against the average of its weekday in the four weeks before, as they were first read', () => {
    const came = ['10.000', '20.000', '700.000', '61.000'];
    const history = came.map((paid, index) => ({
      ...aDayBefore(addDays(DAY, -7 * (index + 1)), { paid, balanced: paid !== '700.000' }),
      // What later revisions say is not compared.
      amounts: { paid: '9000.000', notPaid: '0.000', cancelled: '0.000', other: '0.000' },
    }));
    const others = [1, 5, 35].map((days) => aDayBefore(addDays(DAY, -days), { paid: '500.000' }));
    const page = { ...sealedManifest(), received: null, day: DAY, history: [...history, ...others] };
    const usual = (currency: string) => memberOfDay(page, { ...SETTINGS, currency }).member.usual?.received;
    expect(usual('KWD')).toBe('30.333');
    expect(usual('USD')).toBe('30.330');
    expect(usual('JPY')).toBe('30.000');
  });

  it('compares what came in once both know it, and nothing of a page that was corrected', () => {
    const history = [aDayBefore('2026-11-13', { paid: '10.000', cameIn: '12.000' })];
    const page = { ...sealedManifest(), day: DAY, history };
    const usual = (one: typeof page) => memberOfDay(one, SETTINGS).member.usual;
    expect(usual(page)?.received).toBe('12.000');
    const ofEarlierVersion = { ...page, history: [aDayBefore('2026-11-13', { paid: '10.000' })] };
    expect(usual(ofEarlierVersion)).toEqual({ received: null, total: 7 });
    const first = readingOf(page);
    expect(usual({ ...page, revision: 2, first })?.received).toBe('12.000');
    expect(usual({ ...page, revision: 2, first: { ...first, balanced: false } })).toBeNull();
    expect(usual({ ...page, revision: 2 })).toBeNull();
  });

  it('compares no merchant with a time before its reportFrom', () => {
    const history = [aDayBefore('2026-11-13'), aDayBefore('2026-11-06', { paid: '90.000' })];
    const page = { ...sealedManifest(), received: null, day: DAY, history };
    const usual = (reportFrom?: string) => memberOfDay(page, { ...SETTINGS, reportFrom }).member.usual;
    expect(usual()?.received).toBe('65.000');
    expect(usual('2026-11-13')?.received).toBe('40.000');
    expect(usual('2026-11-14')).toBeNull();
  });
});
