import { isMembers, parseExactJson } from '#records/json/exact-json.ts';
import {
  comparedInvoice,
  comparedRefund,
  MOST_COMPARED_ROWS,
  NO_CHANGES,
  RowComparison,
  type ComparedRow,
  type Move,
} from '#records/revision/changed-rows.ts';
import { integer } from '#records/rows/contract-types.ts';
import { fc, forAll, defined } from '#support/assertions/index.ts';
import { FORMATS, TABLES, dataFile, figuresOf, manifestSchema } from '#records/revision/manifest.ts';
import { FIGURES, sealedManifest } from '#support/records/manifests.ts';
import { figuresOfDay, type FollowedDay } from '#records/figures/history.ts';
import { laterState, olderDays, withoutAccounted } from '#records/revision/told.ts';

function row(id: ComparedRow['id'], state: string | null, amount: string): ComparedRow {
  return { id, state, amount };
}

function compared(earlier: readonly ComparedRow[], later: readonly ComparedRow[]) {
  const rows = new RowComparison(earlier.length);
  for (const one of earlier) rows.addEarlier(one);
  for (const one of later) rows.addLater(one);
  return rows.changes();
}

/** Rows may come in any order. */
function inOrder(moves: readonly Move[] = []): string[] {
  return moves.map((move) => JSON.stringify(move)).sort();
}

/** An integer as a row of JSON has it. */
function beyond(digits: string) {
  const value: unknown = parseExactJson(`[${digits}]`);
  return integer.parse(Array.isArray(value) ? value[0] : value);
}

describe('the rows that changed', () => {
  it('are those with another state or amount, the new ones and the gone ones, the largest amount first', () => {
    const paid = (id: number, amount: string) => row(id, 'paid', amount);
    const earlier = [
      paid(1, '5.000'),
      row(2, 'notPaid', '7.500'),
      paid(3, '1.000'),
      row(4, 'cancelled', '90.000'),
    ];
    const later = [paid(5, '2.000'), paid(3, '1.250'), paid(2, '7.500'), paid(1, '5.000')];
    const state = (name: string, amount: string) => ({ state: name, amount });
    expect(compared(earlier, later)).toEqual({
      count: 4,
      first: [
        { id: '4', was: state('cancelled', '90.000'), is: null },
        { id: '2', was: state('notPaid', '7.500'), is: state('paid', '7.500') },
        { id: '5', was: null, is: state('paid', '2.000') },
        { id: '3', was: state('paid', '1.000'), is: state('paid', '1.250') },
      ],
      moves: [
        { is: 'paid', count: 1, amount: '2.000', otherAmount: 0 },
        { was: 'paid', is: 'paid', count: 1, amount: '1.250', otherAmount: 1 },
        { was: 'notPaid', is: 'paid', count: 1, amount: '7.500', otherAmount: 0 },
        { was: 'cancelled', count: 1, amount: '90.000', otherAmount: 0 },
      ],
    });
  });

  it('are counted, and the first ten are listed', () => {
    const earlier = Array.from({ length: 25 }, (_, id) => row(id + 1, 'notPaid', '1.000'));
    const later = earlier.map(({ id }) => row(id, 'paid', '1.000'));
    const changes = compared(earlier, later.toReversed());
    expect(changes?.count).toBe(25);
    expect(changes?.first.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
  });

  it('may have ids and amounts that a number cannot hold', () => {
    const [one, other] = [beyond('90071992547409930'), beyond('90071992547409931')];
    const huge = '123456789012345678901234567890.123';
    const rowsOf = (...amounts: string[]) =>
      [one, other, 7, 8].map((id, index) => row(id, 'paid', amounts[index] ?? ''));
    const earlier = rowsOf('1.000', '1.000', huge, '1.000');
    const changes = compared(earlier, rowsOf('1.000', '2.000', '1.000', huge));
    expect(changes?.first.map(({ id }) => id)).toEqual(['7', '8', '90071992547409931']);
    expect(changes?.first[0]?.was?.amount).toBe(huge);
    const small = earlier.filter(({ id }) => typeof id === 'number');
    expect(compared(earlier, structuredClone(small))?.count).toBe(2);
  });

  it('are the same whatever the order of the rows, and as a simple comparison finds them', () => {
    const rows = fc.uniqueArray(
      fc.record({
        id: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constantFrom(2 ** 40, 2 ** 52 + 1)),
        state: fc.constantFrom('paid', 'notPaid', null),
        amount: fc.constantFrom('1.000', '2.000', '-3.000', '99999999999999999.000'),
      }),
      { selector: ({ id }) => id, maxLength: 15 },
    );
    forAll([rows, rows], (earlier, later) => {
      const [before, after] = [earlier, later].map(
        (all) => new Map(all.map(({ id, ...state }) => [id, JSON.stringify(state)])),
      );
      const ids = new Set([...earlier, ...later].map(({ id }) => id));
      const wanted = [...ids].filter((id) => before?.get(id) !== after?.get(id)).length;
      const changes = compared(earlier, later);
      expect(changes?.count).toBe(wanted);
      expect(changes?.moves.reduce((sum, { count }) => sum + count, 0)).toBe(wanted);
      const other = compared(earlier.toReversed(), later.toReversed());
      const moves = inOrder(changes?.moves);
      expect({ ...other, moves: inOrder(other?.moves) }).toEqual({ ...changes, moves });
      expect(compared(earlier, earlier)).toEqual(NO_CHANGES);
    });
  });

  it('of more rows than the bound are not looked for, and so are those of a file with more rows than it says', () => {
    expect(new RowComparison(MOST_COMPARED_ROWS).changes()).toEqual(NO_CHANGES);
    const rows = new RowComparison(MOST_COMPARED_ROWS + 1);
    rows.addEarlier(row(1, 'paid', '1.000'));
    rows.addLater(row(1, 'notPaid', '1.000'));
    expect([rows.isTooLarge, rows.changes()]).toEqual([true, null]);
    const more = new RowComparison(1);
    for (let id = 0; id < 1_000; id += 1) more.addEarlier(row(id, 'paid', '1.000'));
    expect(more.changes()).toBeNull();
    const odd = new RowComparison(20_000);
    for (let id = 0; id < 20_000; id += 1) odd.addEarlier(row(id, 'paid', '99999999999999999.000'));
    expect(odd.changes()).toBeNull();
  });
});

describe('a row', () => {
  const invoice = {
    _query_type: '1',
    id: 7,
    amount: '1.000',
    invoice_status: 3,
    customer: { name: 'Noura' },
  };
  const dates = { refund_at: '2026-11-20', transaction_date: '2026-11-19 10:00:00' };
  const refund = { id: 9, amount: '2.000', status: 1, ...dates };

  it('of an invoice has the state that the registry names, and nothing else of the record', () => {
    expect(comparedInvoice(invoice, { 3: 'not_paid' })).toEqual(row(7, 'notPaid', '1.000'));
    expect(comparedInvoice(invoice, { 1: 'paid' })).toEqual(row(7, 'other', '1.000'));
    expect(comparedInvoice(invoice, undefined)).toEqual(row(7, null, '1.000'));
    expect(() => comparedInvoice({ ...invoice, amount: '1' }, undefined)).toThrow();
  });

  it('of a refund counts on the day of the refund, or not at all', () => {
    const names = { 1: 'approved' };
    const read = (changes: object) => {
      const record: unknown = { ...refund, ...changes };
      return isMembers(record) ? comparedRefund(record, '2026-11-20', names) : undefined;
    };
    expect(read({})).toEqual({ id: 9, state: 'approved', amount: '2.000' });
    expect(read({ refund_at: '2026-11-21', transaction_date: '2026-11-20 10:00:00' })).toBeNull();
    expect(read({ refund_at: '0000-00-00' })).toBeNull();
    expect(read({ status: 5 })).toMatchObject({ state: 'other' });
  });
});

const NOTHING_KNOWN = { total: null, paid: null, notPaid: null, cancelled: null, other: null };

describe('manifestSchema', () => {
  it.each([
    ['', FIGURES],
    [', unknown values too', { ...FIGURES, counts: NOTHING_KNOWN, amounts: null }],
  ])('reads back what was written%s, differences of any kind too', (_what, figures) => {
    const differences = [
      { what: 'stats.invoice_paid', service: 6, rows: 5 },
      { what: 'refund list, amount', service: '7.500', rows: null },
      { name: 'of another version', what: 'day of the invoices', service: 7, rows: 6, ids: ['12'] },
    ];
    const manifest = { ...sealedManifest(figures), differences, notCompared: differences };
    expect(manifestSchema.parse(JSON.parse(JSON.stringify(manifest)))).toEqual(manifest);
  });

  it('reads a manifest of an earlier version: it has no history, ignored comparisons and other days', () => {
    const { notCompared: _left, history: _history, drift, ...manifest } = sealedManifest();
    const { otherDays: _days, ...earlierDrift } = drift;
    const parsed = manifestSchema.parse({ ...manifest, drift: earlierDrift });
    expect(parsed).toMatchObject({
      history: [],
      notCompared: [],
      drift: { otherDays: { count: 0, ids: [] } },
    });
  });

  it.each([
    ['a revision 0', { revision: 0 }],
    ['three files', { files: sealedManifest().files.slice(1) }],
    ['no digest', { digest: undefined }],
    ['a count that is a text', { counts: { ...FIGURES.counts, paid: '6' } }],
    ['a count that is missing', { counts: { total: 10, paid: 6, notPaid: 3, cancelled: 1 } }],
    ['drift of no table', { drift: { ...sealedManifest().drift, unknownFields: { payments: [] } } }],
  ])('does not accept %s', (_what, change) => {
    expect(manifestSchema.safeParse({ ...sealedManifest(), ...change }).success).toBe(false);
  });
});

it('figuresOf a page have one order, and say what came in where the page does', () => {
  const received = { count: 6, sum: '60.000' };
  expect(figuresOf(sealedManifest())).toEqual({ ...FIGURES, received });
  expect(figuresOf({ ...sealedManifest(), received: null })).toEqual(FIGURES);
  const { balanced, refunds, amounts, counts, ...others } = sealedManifest();
  const { other, ...states } = counts;
  const reversed = figuresOf({ ...others, balanced, refunds, amounts, counts: { other, ...states } });
  expect(JSON.stringify(reversed)).toBe(JSON.stringify(figuresOf(sealedManifest())));
});

describe('dataFile', () => {
  it('finds each of the four files', () => {
    const found = TABLES.flatMap((table) =>
      FORMATS.map((format) => dataFile(sealedManifest(), table, format)),
    );
    expect(found).toEqual(sealedManifest().files);
  });

  it('names the missing file', () => {
    const manifest = { ...sealedManifest(), files: [] };
    expect(() => dataFile(manifest, 'refunds', 'csv')).toThrow('names no refunds file in csv');
  });
});

type Open = { lastDay: string | null; count: number; amount: string }[];

function made(day: string, open: Open, currency = 'KWD'): FollowedDay {
  const { outcomes, ...manifest } = sealedManifest();
  return figuresOfDay({ ...manifest, day, currency, outcomes: { ...defined(outcomes), open } });
}

const DAYS = [
  made('2026-11-19', [
    { lastDay: '2026-11-19', count: 1, amount: '1.000' },
    { lastDay: '2026-11-20', count: 2, amount: '20.000' },
    { lastDay: '2026-11-21', count: 4, amount: '4.000' },
  ]),
  made('2026-11-12', [{ lastDay: '2026-11-20', count: 1, amount: '0.500' }], 'USD'),
  made('2026-11-10', [
    { lastDay: null, count: 3, amount: '30.000' },
    { lastDay: '2026-11-15', count: 9, amount: '9.000' },
  ]),
  made('2026-11-09', [{ lastDay: '2026-12-01', count: 1, amount: '5.000' }]),
];

describe('what is said of all older days', () => {
  const page = { day: '2026-11-20', reported: '2026-11-19', currency: 'KWD', followFor: 10 };

  it('is what expired since the last report, and what is open and followed no longer', () => {
    expect(olderDays(DAYS, page)).toEqual({
      expired: { count: 2, sum: '20.000' },
      leaving: { count: 3, sum: '30.000', until: '2026-11-10' },
    });
  });

  it('has more after mornings without a report', () => {
    expect(olderDays(DAYS, { ...page, reported: '2026-11-18' })).toEqual({
      expired: { count: 3, sum: '21.000' },
      leaving: { count: 4, sum: '35.000', until: '2026-11-10' },
    });
  });

  it('is nothing when nothing ended', () => {
    expect(olderDays(DAYS, { ...page, day: '2026-11-25', reported: '2026-11-24', followFor: 0 })).toBeNull();
  });
});

describe('what is known of mails', () => {
  const state = (until: string) => ({ until, reported: null, days: [] });

  it('is the later of two states', () => {
    expect(laterState(null, state('2026-11-01'))).toEqual(state('2026-11-01'));
    expect(laterState(state('2026-11-02'), state('2026-11-01'))).toEqual(state('2026-11-02'));
    expect(laterState(state('2026-11-01'), state('2026-11-02'))).toEqual(state('2026-11-02'));
    expect(laterState(null, null)).toBeNull();
  });

  it('is not kept twice: beside a day only until it is accounted for', () => {
    const days = DAYS.map((day) => ({ ...day, told: [{ day: '2026-11-01', to: 2 }] }));
    const kept = withoutAccounted(days, state('2026-11-12')).filter(({ told }) => told !== undefined);
    expect(kept.map(({ day }) => day)).toEqual(['2026-11-19']);
    expect(withoutAccounted(days, null)).toEqual(days);
  });
});
