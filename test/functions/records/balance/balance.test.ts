import { describe, expect, it } from 'vitest';
import { balance, sameDifferences, serviceStats } from '#records/balance/balance.ts';
import type { BalanceInput, TypeReading, ServiceStats, StatedType } from '#records/balance/balance.ts';
import { COMPARISONS } from '#records/balance/comparisons.ts';
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

const REFUND_LIST = { statedCount: 2, statedAmount: '7.500', listed: 2, listedAmount: '7.500' };

describe('a day that balances', () => {
  it('needs no names of statuses', () => {
    expect(balance(input({ rowCounts: null })).differences).toEqual([]);
  });

  it('does not need the totals of the service’s refund list', () => {
    const refundList = { statedCount: null, statedAmount: null, listed: 2, listedAmount: '7.500' };
    expect(balance(input({ refundList })).differences).toEqual([]);
    expect(balance(input({ refundList: REFUND_LIST })).differences).toEqual([]);
  });
});

describe('differences', () => {
  it.each<[string, BalanceInput, string[]]>([
    [
      'rows that are missing',
      input({ types: [reading({ rows: 9 })], uniqueInvoices: 9, rowCounts: null }),
      [
        'paginationTotal: pagination.total of invoiceType 1: 10, 9',
        'statsTotal: stats.total_invoice_count: 10, 9',
      ],
    ],
    [
      'rows that appear twice',
      input({ uniqueInvoices: 9, rowCounts: null }),
      ['uniqueInvoiceIds: unique invoice ids: 10, 9', 'statsTotal: stats.total_invoice_count: 10, 9'],
    ],
    [
      'pages that changed during every pull',
      input({ unstable: true }),
      ['stablePages: pages while they were read: kept changing, read three times'],
    ],
    [
      'a total of stats',
      withStats({ total: 11, paid: 7 }),
      ['statsTotal: stats.total_invoice_count: 11, 10', 'statsPaid: stats.invoice_paid: 7, 6'],
    ],
    [
      'a count of paid invoices',
      withStats({ paid: 5, cancelled: 2 }),
      ['statsPaid: stats.invoice_paid: 5, 6', 'statsCancelled: stats.invoice_cancelled: 2, 1'],
    ],
    [
      'a count of unpaid invoices',
      withStats({ notPaid: 2 }),
      ['statsNotPaid: stats.invoice_not_paid: 2, 3', 'statsOther: invoices in no state of stats: 1, 0'],
    ],
    [
      'a sum of the states above the total',
      withStats({ paid: 9 }),
      ['statsPaid: stats.invoice_paid: 9, 6', 'statsOther: invoices in no state of stats: -3, 0'],
    ],
    [
      'the count of the refund list',
      input({ refundList: { ...REFUND_LIST, listed: 1 } }),
      ['refundListCount: refund list, count: 2, 1'],
    ],
    [
      'the amount of the refund list',
      input({ refundList: { ...REFUND_LIST, listedAmount: '7.000' } }),
      ['refundListAmount: refund list, amount: 7.500, 7.000'],
    ],
    [
      'refunds that do not exist',
      input({ missingRefundIds: ['1400', '1401'] }),
      ['knownRefunds: refund 1400: not found, null', 'knownRefunds: refund 1401: not found, null'],
    ],
    [
      'a field that came twice',
      input({ repeatedFields: { invoices: twice('amount'), refunds: new NameTally() } }),
      ['repeatedFields: invoices with amount twice: 1, the last value of each'],
    ],
  ])('explain %s', (_what, given, differences) => {
    const said = balance(given).differences.map(
      ({ name, what, service, rows }) => `${name}: ${what}: ${service}, ${rows}`,
    );
    expect(said).toEqual(differences);
  });

  it('of a sum of the states above the total are also found without names of statuses', () => {
    const given = { ...withStats({ paid: 9 }), rowCounts: null };
    expect(balance(given).differences).toEqual([
      { name: 'statsOther', what: 'invoices in no state of stats', service: -3, rows: null },
    ]);
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
    expect(serviceStats(types, pagesOf(types))).toEqual({ total: 20, paid: null, notPaid: 6, cancelled: 2 });
  });

  it('is also a difference without names of statuses', () => {
    const given = { ...withStats({ paid: null }), rowCounts: null };
    expect(balance(given).differences).toEqual([
      { name: 'statsPaid', what: 'stats.invoice_paid', service: null, rows: null },
    ]);
  });
});

describe('invoices of another type or day than the requested one', () => {
  const misplaced = {
    otherTypes: [{ invoiceType: '1', rows: 10, count: 3, ids: ['12', '15', '18'] }],
    otherDay: { count: 1, ids: ['12'] },
    perhapsOtherDay: { count: 2, ids: ['15', '18'] },
  };

  it('are differences with the first ids, but invoices that may be right are not', () => {
    expect(balance(input({ misplaced })).differences).toEqual([
      {
        name: 'invoiceType',
        what: 'invoice_type of invoiceType 1',
        service: 10,
        rows: 7,
        ids: ['12', '15', '18'],
      },
      { name: 'invoiceDay', what: 'day of the invoices', service: 10, rows: 9, ids: ['12'] },
    ]);
  });
});

describe('comparisons that are ignored', () => {
  /** A day that disagrees in every comparison. */
  const everything = input({
    types: [reading({ rows: 8, stats: { total: 11, paid: 5, notPaid: 1, cancelled: 0 } })],
    uniqueInvoices: 7,
    misplaced: {
      otherTypes: [{ invoiceType: '1', rows: 7, count: 1, ids: ['12'] }],
      otherDay: { count: 1, ids: ['12'] },
      perhapsOtherDay: { count: 0, ids: [] },
    },
    refundList: { statedCount: 2, statedAmount: '7.500', listed: 1, listedAmount: '7.000' },
    missingRefundIds: ['1400'],
    unstable: true,
    repeatedFields: { invoices: twice('amount'), refunds: new NameTally() },
  });

  it('do not count for the balance, but are kept; all other comparisons count', () => {
    const found = balance(everything).differences;
    const own = COMPARISONS.filter((name) => !name.startsWith('transaction'));
    expect(new Set(found.map(({ name }) => name))).toEqual(new Set(own));
    forAll([fc.subarray([...COMPARISONS, 'statsTotals', ''])], (ignore) => {
      const { differences, notCompared, counts } = balance({ ...everything, ignore });
      expect(counts).toEqual(balance(everything).counts);
      expect(differences).toEqual(found.filter(({ name }) => !ignore.includes(name)));
      expect(notCompared).toEqual(found.filter(({ name }) => ignore.includes(name)));
    });
  });
});

it('two lists of differences are equal whether or not one of them has names and ids', () => {
  const one = { what: 'stats.invoice_paid', service: 7, rows: 6 };
  expect(sameDifferences([one], [{ name: 'statsPaid', ids: ['1'], ...one }])).toBe(true);
  expect(sameDifferences([one], [{ ...one, rows: null }])).toBe(false);
  expect(sameDifferences([one], [])).toBe(false);
  expect(sameDifferences([one, { ...one, what: 'other' }], [{ ...one, what: 'other' }, one])).toBe(false);
});

interface TypeTruth {
  paid: number;
  notPaid: number;
  cancelled: number;
  other: number;
}

const TYPES = ['1', '0', '6', '7'];
const count = fc.integer({ min: 0, max: 500 });
const truth = fc.record<TypeTruth>({ paid: count, notPaid: count, cancelled: count, other: count });
const truths = fc.array(truth, { minLength: 1, maxLength: TYPES.length });

function sumOf(parts: readonly TypeTruth[]): TypeTruth {
  const add = (name: keyof TypeTruth) => parts.reduce((sum, part) => sum + part[name], 0);
  return { paid: add('paid'), notPaid: add('notPaid'), cancelled: add('cancelled'), other: add('other') };
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
    expect(serviceStats(changed, pagesOf(changed))).toEqual({
      total: 7,
      paid: null,
      notPaid: null,
      cancelled: 0,
    });
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
      const { total, paid } = serviceStats(types, pagesOf(types));
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
      expect(serviceStats(types, pagesOf(types))).toEqual({ ...all, total: (all.total ?? 0) + 1 });
    }));

  it('cannot be recognised without totals, and then no count is known', () => {
    const types = TYPES.map((invoiceType) => reading({ invoiceType, stats: { ...STATS, total: null } }));
    expect(serviceStats(types, pagesOf(types))).toEqual({
      total: null,
      paid: null,
      notPaid: null,
      cancelled: null,
    });
  });
});

it('a service that lists the same invoices for every type each invoice is counted once, and the day does not balance', () => {
  const types = ['1', '0', '6', '7'].map((invoiceType) => reading({ invoiceType }));
  const { counts, differences } = balance(input({ types, uniqueInvoices: 10 }));
  expect(counts).toEqual({ ...STATS, other: 0 });
  expect(differences).toEqual([
    { name: 'uniqueInvoiceIds', what: 'unique invoice ids', service: 40, rows: 10 },
  ]);
});
