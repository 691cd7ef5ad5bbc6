import { parseObject } from '#runtime/s3-objects.ts';
import { outlineOf } from '#records/json/exact-json.ts';
import { groupPageSchema, storedGroupPageSchema, type GroupPage } from '#page/figures/group-page.ts';
import { statementSchema } from '#page/figures/statement.ts';
import { largestObject, mostValues } from '#records/storage/object-bounds.ts';
import { pageKey, pageLedgerKey, periodLedgerPrefix } from '#records/storage/keys.ts';
import { aGroupPage, aMember, aStatement } from '#support/rendering/statements.ts';
import { MOST_MERCHANTS } from '#registry/registry.ts';

const PERIOD = '2026-11';
const GROUP_KEY = pageKey({ owner: { group: 'all' }, period: PERIOD, revision: 1 });
const MERCHANT_KEY = pageKey({ owner: { merchantCode: '700001' }, period: PERIOD, revision: 1 });
const MIB = 1024 * 1024;

const NAME = 'شركة الأفق للتجارة العامة والمقاولات';
const counts = { total: 43_210, paid: 32_100, notPaid: 9_000, cancelled: 2_110, other: 0 };
const amounts = { paid: '123456.789', notPaid: '12345.678', cancelled: '1234.567', other: '0.000' };
const totals = (statuses: number) => ({
  count: 120,
  total: '2273.228',
  byStatus: Object.fromEntries(
    Array.from({ length: statuses }, (_, index) => [
      `a-name-of-a-status-as-long-as-allowed-${index}`,
      { count: 120, total: '2273.228' },
    ]),
  ),
});
const refunds = (statuses: number) => ({ ...totals(statuses), saleBasis: totals(statuses) });
const { net } = aStatement();

/** A page of so many merchants, each with a correction of the page before. */
function page(merchants: number): GroupPage {
  const codes = Array.from({ length: merchants }, (_, index) => `${700_000 + index}`);
  const figures = { counts, amounts, refunds: { count: 120, total: '2273.228' } };
  const usual = { received: '118000.123', total: 41_000 };
  const { member } = aMember('', { name: NAME, ...figures, usual });
  const after = { received: '123456.789', refunds: '2273.228' };
  const changed = { name: NAME, currency: 'KWD', period: '2026-10', fromRevision: 1, toRevision: 2 };
  return aGroupPage([], {
    period: PERIOD,
    merchants: codes.map((merchantCode) => ({ ...member, merchantCode })),
    byCurrency: { KWD: { merchants, counts, amounts, refunds: refunds(3), net } },
    corrections: codes.map((merchantCode) => ({ merchantCode, ...changed, before: after, after })),
  });
}

describe('the largest page of a group', () => {
  it('fits twice into its object, and its values into what readers take', () => {
    const text = `${JSON.stringify(page(MOST_MERCHANTS))}\n`;
    const bytes = Buffer.byteLength(text);
    expect(bytes).toBeGreaterThan(8 * MIB);
    expect(bytes * 2).toBeLessThan(largestObject(GROUP_KEY));
    const { values } = outlineOf(text, { levels: 100, values: Infinity, widest: Infinity });
    expect(values).toBeGreaterThan(100_000);
    expect(values).toBeLessThan(mostValues(GROUP_KEY) * 0.9);
  });

  it('is read as it was written', () => {
    const written = page(5_000);
    expect(parseObject(GROUP_KEY, JSON.stringify(written), storedGroupPageSchema)).toEqual(written);
  });

  it('has the same members as the one that is described', () => {
    const stored = Object.keys(storedGroupPageSchema.unwrap().in.shape);
    expect(stored).toEqual(Object.keys(groupPageSchema.unwrap().shape));
  });
});

it.each([
  ['merchants', 'merchants[4].revision'],
  ['corrections', 'corrections[4].merchantCode'],
  ['missing', 'missing[4].merchantCode'],
] as const)(
  'a page of a group that Daybook did not write is refused at its first fault in %s, however many follow',
  (list, path) => {
    const { merchants, ...others } = page(5);
    const bad = { ...merchants[0], revision: 'x', counts: {}, amounts: {}, refunds: {} };
    const good = { merchants, corrections: others.corrections, missing: [] };
    const missing = { merchantCode: '1', name: null, reason: 'not-sealed' };
    const first = list === 'missing' ? Array.from({ length: 4 }, () => missing) : good[list].slice(0, 4);
    const fault = list === 'merchants' ? bad : { name: 1 };
    const faults = Array.from({ length: 15_000 }, () => fault);
    const value = { ...others, ...good, [list]: [...first, ...faults] };
    const read = storedGroupPageSchema.safeParse(value);
    expect(read.error?.issues).toHaveLength(1);
    expect(() => parseObject(GROUP_KEY, JSON.stringify(value), storedGroupPageSchema)).toThrow(
      `object ${GROUP_KEY} is not what Daybook writes there: ${path}: `,
    );
  },
);

it('a merchant’s statement of 31 days with a hundred statuses of refunds fits into its object', () => {
  const sizeOf = (statuses: number) => {
    const { days, ...others } = aStatement({ period: '2026-10' });
    const figures = { counts, amounts, refunds: refunds(statuses) };
    const all = { ...others, ...figures, breakdown: null, days: days.map((day) => ({ ...day, ...figures })) };
    return Buffer.byteLength(JSON.stringify(statementSchema.parse(all)));
  };
  expect(largestObject(MERCHANT_KEY)).toBe(MIB);
  expect(sizeOf(5)).toBeLessThan(64 * 1024);
  expect(sizeOf(100)).toBeLessThan(largestObject(MERCHANT_KEY));
});

it('the ledgers of statements and of groups’ pages are as large as those of reports', () => {
  const place = { period: PERIOD, revision: 1 };
  for (const owner of [{ group: 'all' }, { merchantCode: '700001' }]) {
    const key = pageLedgerKey({ owner, ...place });
    expect(key.startsWith(periodLedgerPrefix(PERIOD))).toBe(true);
    expect(largestObject(key)).toBe(largestObject('mail/day=2026-11-20/merchant=700001/r0001.json'));
  }
});
