import { describe, expect, it } from 'vitest';
import { balance, sameDifferences, serviceCounts } from '#records/balance/balance.ts';
import type { BalanceInput, TypeReading, ServiceStats, StatedType } from '#records/balance/balance.ts';
import { COMPARISONS } from '#records/balance/comparisons.ts';
import type { InvoiceState } from '#records/figures/figure-schemas.ts';
import { ofEachState } from '#records/figures/invoice-state-totals.ts';
import { NameTally } from '#records/rows/drift-tallies.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const STATS: ServiceStats = { total: 10, paid: 6, notPaid: 3, cancelled: 1 };

/** One field that appeared twice in a record. */
function twice(name: string): NameTally {
  const tally = new NameTally();
  tally.add(name);
  return tally;
}

const NOTHING_MISPLACED = {
  otherTypes: [],
  otherDay: { count: 0, ids: [] },
  perhapsOtherDay: { count: 0, ids: [] },
};

/** A type whose total the service says. */
type Reading = TypeReading & StatedType;

function reading(change: Partial<Reading> = {}): Reading {
  return { invoiceType: '1', paginationTotal: 10, stats: STATS, rows: 10, ...change };
}

function input(change: Partial<BalanceInput> = {}): BalanceInput {
  return {
    types: [reading()],
    uniqueInvoices: 10,
    rowCounts: { paid: 6, notPaid: 3, cancelled: 1, other: 0 },
    misplaced: NOTHING_MISPLACED,
    repeatedFields: { invoices: new NameTally(), refunds: new NameTally() },
    refundList: null,
    missingRefundIds: [],
    unstable: false,
    ignore: [],
    ...change,
  };
}

function withStats(change: Partial<ServiceStats>): BalanceInput {
  return input({ types: [reading({ stats: { ...STATS, ...change } })] });
}

/** The number of invoices on all pages together, if none appears twice. */
function pagesOf(types: readonly Reading[]): number {
  return types.reduce((total, type) => total + type.paginationTotal, 0);
}

function saidOf(given: BalanceInput): string[] {
  return balance(given).differences.map(
    ({ name, what, service, rows, ids }) =>
      `${name}: ${what}: ${service}, ${rows}${ids === undefined ? '' : ` (${ids.join()})`}`,
  );
}

it('a day balances without names of statuses, and without the totals of the service’s refund list', () => {
  const refundList = { statedCount: null, statedAmount: null, listed: 2, listedAmount: '7.500' };
  const stated = { ...refundList, statedCount: 2, statedAmount: '7.500' };
  for (const change of [{ rowCounts: null }, { refundList }, { refundList: stated }])
    expect(balance(input(change)).differences).toEqual([]);
});

/** A day that disagrees in every comparison. */
const EVERYTHING = input({
  types: [reading({ rows: 8, stats: { total: 11, paid: 5, notPaid: 1, cancelled: 0 } })],
  uniqueInvoices: 7,
  misplaced: {
    otherTypes: [{ invoiceType: '1', rows: 7, count: 3, ids: ['12', '15', '18'] }],
    otherDay: { count: 1, ids: ['12'] },
    // They may be right.
    perhapsOtherDay: { count: 2, ids: ['15', '18'] },
  },
  refundList: { statedCount: 2, statedAmount: '7.500', listed: 1, listedAmount: '7.000' },
  missingRefundIds: ['1400', '1401'],
  unstable: true,
  repeatedFields: { invoices: twice('amount'), refunds: new NameTally() },
});

describe('differences', () => {
  it('explain what disagrees, with the first ids', () => {
    expect(saidOf(EVERYTHING)).toEqual([
      'paginationTotal: pagination.total of invoiceType 1: 10, 8',
      'uniqueInvoiceIds: unique invoice ids: 8, 7',
      'stablePages: pages while they were read: kept changing, read three times',
      'invoiceType: invoice_type of invoiceType 1: 7, 4 (12,15,18)',
      'invoiceDay: day of the invoices: 7, 6 (12)',
      'statsTotal: stats.total_invoice_count: 11, 7',
      'statsPaid: stats.invoice_paid: 5, 6',
      'statsNotPaid: stats.invoice_not_paid: 1, 3',
      'statsCancelled: stats.invoice_cancelled: 0, 1',
      'statsOther: invoices in no state of stats: 5, 0',
      'refundListCount: refund list, count: 2, 1',
      'refundListAmount: refund list, amount: 7.500, 7.000',
      'knownRefunds: refund 1400: not found, null',
      'knownRefunds: refund 1401: not found, null',
      'repeatedFields: invoices with amount twice: 1, the last value of each',
    ]);
  });

  it('are found in stats that contradict themselves, also without names of statuses', () => {
    const given = withStats({ paid: 9 });
    const contradiction = (rows: number | null) => `statsOther: invoices in no state of stats: -3, ${rows}`;
    expect(saidOf(given)).toEqual(['statsPaid: stats.invoice_paid: 9, 6', contradiction(0)]);
    expect(saidOf({ ...given, rowCounts: null })).toEqual([contradiction(null)]);
  });

  it('that are ignored do not count for the balance, but are kept; all others count', () => {
    const found = balance(EVERYTHING).differences;
    const own = COMPARISONS.filter((name) => !name.startsWith('transaction'));
    expect(new Set(found.map(({ name }) => name))).toEqual(new Set(own));
    forAll([fc.subarray([...COMPARISONS, 'statsTotals', ''])], (ignore) => {
      const { differences, notCompared, counts } = balance({ ...EVERYTHING, ignore });
      expect(counts).toEqual(balance(EVERYTHING).counts);
      expect(differences).toEqual(found.filter(({ name }) => !ignore.includes(name)));
      expect(notCompared).toEqual(found.filter(({ name }) => ignore.includes(name)));
    });
  });
});

describe('a count that the service does not state', () => {
  it.each([
    ['total', 'statsTotal', 'stats.total_invoice_count', 10],
    ['paid', 'statsPaid', 'stats.invoice_paid', 6],
    ['notPaid', 'statsNotPaid', 'stats.invoice_not_paid', 3],
    ['cancelled', 'statsCancelled', 'stats.invoice_cancelled', 1],
  ] as const)('(%s) is unknown, never zero, and is a difference', (state, name, what, rows) => {
    const { counts, differences } = balance(withStats({ [state]: null }));
    expect(counts).toEqual({ ...STATS, [state]: null, other: null });
    expect(differences).toEqual([{ name, what, service: null, rows }]);
    const ignoring = balance({ ...withStats({ [state]: null }), ignore: [name] });
    expect(ignoring).toEqual({ counts, differences: [], notCompared: differences });
  });

  it('is unknown over all types if one type does not state it', () => {
    const types = [reading(), reading({ invoiceType: '0', stats: { ...STATS, paid: null } })];
    const counts = { total: 20, paid: null, notPaid: 6, cancelled: 2, other: null };
    expect(serviceCounts(types, pagesOf(types))).toEqual(counts);
  });

  it('is also a difference without names of statuses', () => {
    const given = { ...withStats({ paid: null }), rowCounts: null };
    expect(saidOf(given)).toEqual(['statsPaid: stats.invoice_paid: null, null']);
  });
});

it('two lists of differences are equal whether or not one of them has names and ids', () => {
  const one = { what: 'stats.invoice_paid', service: 7, rows: 6 };
  expect(sameDifferences([one], [{ name: 'statsPaid', ids: ['1'], ...one }])).toBe(true);
  expect(sameDifferences([one], [{ ...one, rows: null }])).toBe(false);
  expect(sameDifferences([one], [])).toBe(false);
  expect(sameDifferences([one, { ...one, what: 'other' }], [{ ...one, what: 'other' }, one])).toBe(false);
});

type TypeTruth = Record<InvoiceState, number>;

const TYPES = ['1', '0', '6', '7'];
const truth = fc.record<TypeTruth>(ofEachState(() => fc.integer({ min: 0, max: 500 })));
const truths = fc.array(truth, { minLength: 1, maxLength: TYPES.length });

function sumOf(parts: readonly TypeTruth[]): TypeTruth {
  return ofEachState((state) => parts.reduce((sum, part) => sum + part[state], 0));
}

function statsOf({ paid, notPaid, cancelled, other }: TypeTruth): ServiceStats {
  return { total: paid + notPaid + cancelled + other, paid, notPaid, cancelled };
}

/** The answers of a correct service for each type, with stats over the type or over all types. */
function honest(parts: readonly TypeTruth[], scope: 'type' | 'all'): Reading[] {
  return parts.map((part, index) => {
    const rows = statsOf(part).total ?? 0;
    const stats = statsOf(scope === 'type' ? part : sumOf(parts));
    return { invoiceType: TYPES[index] ?? '', paginationTotal: rows, stats, rows };
  });
}

describe('the scope of stats', () => {
  it.each(['type', 'all'] as const)(
    '(%s): the day of a correct service balances, and each invoice is counted once',
    (scope) =>
      forAll([truths], (parts) => {
        const all = sumOf(parts);
        const given = input({
          types: honest(parts, scope),
          uniqueInvoices: statsOf(all).total ?? 0,
          rowCounts: all,
        });
        const counts = { ...statsOf(all), other: all.other };
        expect(balance(given)).toEqual({ counts, differences: [], notCompared: [] });
      }),
  );

  it('is all types even if an invoice changes its state between two answers; the changed counts are then unknown', () => {
    const types = honest(
      [
        { paid: 3, notPaid: 2, cancelled: 0, other: 0 },
        { paid: 1, notPaid: 1, cancelled: 0, other: 0 },
      ],
      'all',
    );
    const later = { total: 7, paid: 5, notPaid: 2, cancelled: 0 };
    const changed = types.map((type, index) => (index === 1 ? { ...type, stats: later } : type));
    const counts = { total: 7, paid: null, notPaid: null, cancelled: 0, other: null };
    expect(serviceCounts(changed, pagesOf(changed))).toEqual(counts);
  });

  it('over all types is never added up, even if its total is slightly wrong', () => {
    const drift = fc.array(fc.integer({ min: -1, max: 1 }), { minLength: 4, maxLength: 4 });
    forAll([truths, drift], (parts, drifts) => {
      const all = statsOf(sumOf(parts)).total ?? 0;
      fc.pre(all > 4);
      const types = honest(parts, 'all').map((type, index) => ({
        ...type,
        stats: { ...type.stats, total: all + (drifts[index] ?? 0) },
      }));
      const { total, paid } = serviceCounts(types, pagesOf(types));
      expect(total === null || Math.abs(total - all) <= 1).toBe(true);
      expect(paid).toBe(sumOf(parts).paid);
    });
  });

  it('over each type is added up, even if its total is slightly wrong', () =>
    forAll([truth, truth], (one, other) => {
      fc.pre((statsOf(one).total ?? 0) > 4 && (statsOf(other).total ?? 0) > 4);
      const types = honest([one, other], 'type').map((type, index) =>
        index === 0 ? { ...type, stats: { ...type.stats, total: (type.stats.total ?? 0) + 1 } } : type,
      );
      const all = statsOf(sumOf([one, other]));
      expect(serviceCounts(types, pagesOf(types))).toMatchObject({ ...all, total: (all.total ?? 0) + 1 });
    }));

  it('cannot be recognised without totals, and then no count is known', () => {
    const types = TYPES.map((invoiceType) => reading({ invoiceType, stats: { ...STATS, total: null } }));
    const unknown = { total: null, paid: null, notPaid: null, cancelled: null, other: null };
    expect(serviceCounts(types, pagesOf(types))).toEqual(unknown);
  });
});

it('a service that lists the same invoices for every type each invoice is counted once, and the day does not balance', () => {
  const types = ['1', '0', '6', '7'].map((invoiceType) => reading({ invoiceType }));
  const given = input({ types, uniqueInvoices: 10 });
  expect(balance(given).counts).toEqual({ ...STATS, other: 0 });
  expect(saidOf(given)).toEqual(['uniqueInvoiceIds: unique invoice ids: 40, 10']);
});
