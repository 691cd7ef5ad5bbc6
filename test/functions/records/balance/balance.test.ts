import { balance, sameDifferences, serviceCounts } from '#records/balance/balance.ts';
import type { BalanceInput, TypeReading, ServiceStats, StatedType } from '#records/balance/balance.ts';
import { boundedDifferences, COMPARISONS, MOST_MISSING_REFUNDS } from '#records/balance/comparisons.ts';
import type { Comparison, FoundDifference } from '#records/balance/comparisons.ts';
import { MisplacedInvoices } from '#records/balance/misplaced-invoices.ts';
import { addDays } from '#records/day/business-day.ts';
import type { Difference, InvoiceState } from '#records/figures/figure-schemas.ts';
import { ofEachState } from '#records/figures/invoice-state-totals.ts';
import { invoiceSchema, type Invoice } from '#records/rows/contract-records.ts';
import { NameTally } from '#records/rows/drift-tallies.ts';
import { largestObject } from '#records/storage/object-bounds.ts';
import { invoiceRecord } from '#support/records/records.ts';
import { fc, forAll } from '#support/assertions/index.ts';

const STATS: ServiceStats = { total: 10, paid: 6, notPaid: 3, cancelled: 1 };

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
    misplaced: {
      otherTypes: [],
      otherDay: { count: 0, ids: [] },
      perhapsOtherDay: { count: 0, ids: [] },
    },
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

const TWICE = new NameTally();
TWICE.add('amount');

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
  repeatedFields: { invoices: TWICE, refunds: new NameTally() },
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
    const given = withStats({ [state]: null });
    const { counts, differences } = balance(given);
    expect(counts).toEqual({ ...STATS, [state]: null, other: null });
    expect(differences).toEqual([{ name, what, service: null, rows }]);
    const ignoring = balance({ ...given, ignore: [name] });
    expect(ignoring).toEqual({ counts, differences: [], notCompared: differences });
    const withoutNames = saidOf({ ...given, rowCounts: null });
    expect(withoutNames).toEqual([`${name}: ${what}: null, ${state === 'total' ? rows : null}`]);
  });

  it('is unknown over all types if one type does not state it', () => {
    const types = [reading(), reading({ invoiceType: '0', stats: { ...STATS, paid: null } })];
    const counts = { total: 20, paid: null, notPaid: 6, cancelled: 2, other: null };
    expect(serviceCounts(types, pagesOf(types))).toEqual(counts);
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
    const [earlier, later] = [
      { total: 7, paid: 4, notPaid: 3, cancelled: 0 },
      { total: 7, paid: 5, notPaid: 2, cancelled: 0 },
    ];
    const changed = [
      reading({ paginationTotal: 5, stats: earlier }),
      reading({ invoiceType: '0', paginationTotal: 2, stats: later }),
    ];
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
  const given = input({ types: TYPES.map((invoiceType) => reading({ invoiceType })) });
  expect(balance(given).counts).toEqual({ ...STATS, other: 0 });
  expect(saidOf(given)).toEqual(['uniqueInvoiceIds: unique invoice ids: 40, 10']);
});

describe('differences in a manifest', () => {
  it('of one comparison are a hundred at most, and the last one says how many more there are; other comparisons keep theirs', () => {
    const named = (name: Comparison, what: string, service: Difference['service']): FoundDifference => {
      return { name, what, service, rows: null };
    };
    const other = named('uniqueInvoiceIds', 'unique invoice ids', 5);
    const missing = Array.from({ length: 5_000 }, (_, id) =>
      named('knownRefunds', `refund ${id}`, 'not found'),
    );
    const bounded = boundedDifferences([...missing, other]);
    expect(bounded).toHaveLength(101);
    expect(bounded.slice(99)).toEqual([
      named('knownRefunds', 'more of the comparison knownRefunds', 4_901),
      other,
    ]);
  });

  it('that are few stay unchanged, and an empty list stays empty', () => {
    const differences = fc.array(
      fc.record({
        name: fc.constantFrom(...COMPARISONS),
        what: fc.string(),
        service: fc.nat(),
        rows: fc.constant(null),
      }),
      { maxLength: 100 },
    );
    forAll([differences], (found) => {
      expect(new Set(boundedDifferences(found))).toEqual(new Set(found));
    });
  });
});

it('a manifest with the largest number of refund ids is still readable', () => {
  const missing = Array.from({ length: MOST_MISSING_REFUNDS }, () => '9'.repeat(30));
  const most = largestObject('days/day=2026-11-20/merchant=700001/r0001.json');
  expect(JSON.stringify(missing).length).toBeLessThan(most / 2);
});

const DAY = '2026-11-20';

function invoice(change: Record<string, unknown>): Invoice {
  return invoiceSchema.parse({ ...invoiceRecord(), ...change });
}

function foundIn(invoices: readonly Invoice[], invoiceType = '1') {
  const misplaced = new MisplacedInvoices(DAY);
  for (const one of invoices) misplaced.add([one], invoiceType);
  return misplaced.found();
}

it('the day of an invoice is another one if the requested day is not between its creation and its last update', () => {
  const daysAround = fc.integer({ min: -3, max: 3 });
  const time = fc.constantFrom('00:00:00', '11:59:59', '23:59:59');
  const life = fc.record({ created: daysAround, age: fc.nat(5), at: time, until: time });
  forAll([fc.array(life, { maxLength: 20 })], (lives) => {
    const invoices = lives.map(({ created, age, at, until }, id) =>
      invoice({
        id,
        created_at: `${addDays(DAY, created)} ${at}`,
        updated_at: `${addDays(DAY, created + age)} ${until}`,
      }),
    );
    const isOther = ({ created, age }: (typeof lives)[number]) => created > 0 || created + age < 0;
    const ids = lives.flatMap((one, id) => (isOther(one) ? [String(id)] : []));
    const perhaps = lives.filter(({ created, age }) => created < 0 && created + age >= 0);
    expect(foundIn(invoices)).toMatchObject({
      otherDay: { count: ids.length, ids: ids.slice(0, 5) },
      perhapsOtherDay: { count: perhaps.length },
    });
  });
});

describe('the type of an invoice', () => {
  it('is compared with the requested type, in any spelling', () => {
    expect(foundIn([invoice({ invoice_type: 1 })], '0001').otherTypes).toEqual([]);
    expect(foundIn([invoice({ invoice_type: 0, id: 7 }), invoice({ invoice_type: 1 })]).otherTypes).toEqual([
      { invoiceType: '1', rows: 2, count: 1, ids: ['7'] },
    ]);
    const large = JSON.rawJSON('10000000000000000000000001');
    expect(foundIn([invoice({ invoice_type: large })]).otherTypes).toMatchObject([{ count: 1 }]);
  });

  it('is reported with the first ids, and an id of any length takes little space', () => {
    const id = JSON.rawJSON('9'.repeat(100));
    const [type] = foundIn(Array.from({ length: 9 }, () => invoice({ invoice_type: 6, id }))).otherTypes;
    expect(type).toMatchObject({ count: 9, ids: Array.from({ length: 5 }, () => `${'9'.repeat(40)}…`) });
  });
});
