import { addDays } from '#records/day/business-day.ts';
import {
  daysBefore,
  figuresOfDay,
  firstReadingOf,
  isSameHistory,
  mayLack,
  readingOf,
  withDays,
  type DayFigures,
  type FollowedDay,
} from '#records/figures/history.ts';
import { sealedManifest } from '#support/records/manifests.ts';
import { fc, forAll, membersOf } from '#support/assertions/index.ts';
import {
  HighlightFinder,
  type HighlightSettings,
  type InvoiceHighlights,
} from '#records/figures/invoice-highlights.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import { takeSealedRow } from '#records/rows/read-sealed-row.ts';
import { sumOfTexts } from '#support/records/records.ts';

const FIRST = '2026-01-01';

function dayFigures(offset: number, revision: number): DayFigures {
  return { ...figuresOfDay(sealedManifest()), day: addDays(FIRST, offset), revision };
}

const entries = fc.array(fc.tuple(fc.nat(120), fc.integer({ min: 1, max: 4 })), { maxLength: 90 });

describe('a history', () => {
  it('is the same in whatever order days were sealed: each day with its newest revision, newest day first', () =>
    forAll([entries, fc.nat()], (days, seed) => {
      const all = days.map(([offset, revision]) => dayFigures(offset, revision));
      const at = (figures: DayFigures) => ((all.indexOf(figures) + 1) * (seed + 7_919)) % 104_729;
      const shuffled = all.toSorted((one, other) => at(one) - at(other));
      const history = withDays([], shuffled);
      const newest = new Map<string, number>();
      for (const { day, revision } of all) newest.set(day, Math.max(revision, newest.get(day) ?? 0));
      const expected = [...newest].sort(([one], [other]) => (one < other ? 1 : -1)).slice(0, 60);
      expect(history.map(({ day, revision }) => [day, revision])).toEqual(expected);
      const oneByOne = shuffled.reduce<DayFigures[]>((known, added) => withDays(known, [added]), []);
      expect(oneByOne).toEqual(history);
    }));

  it('knows which comparisons disagreed, each once, if all of them have names', () => {
    const difference = { what: 'a total', service: 1, rows: 2 };
    const differences = ['statsTotal', 'statsPaid', 'statsTotal'].map((name) => ({ name, ...difference }));
    const unbalanced = { ...sealedManifest(), balanced: false, differences };
    expect(figuresOfDay(unbalanced).disagreed).toEqual(['statsPaid', 'statsTotal']);
    for (const name of [undefined, 'of another version']) {
      const other = { ...difference, ...(name !== undefined && { name }) };
      expect(figuresOfDay({ ...unbalanced, differences: [...differences, other] }).disagreed).toBe(undefined);
    }
    expect('disagreed' in figuresOfDay(sealedManifest())).toBe(false);
  });

  it('keeps the names of what disagreed when an earlier version writes the same revision without them', () => {
    const known = { ...dayFigures(0, 2), balanced: false, disagreed: ['statsPaid'] };
    const forgotten = { ...dayFigures(0, 2), balanced: false };
    expect(withDays([known], [forgotten])).toEqual([known]);
    expect(withDays([forgotten], [known])).toEqual([known]);
    expect(withDays([known], [{ ...forgotten, revision: 3 }])).toMatchObject([{ revision: 3 }]);
  });

  it('keeps the first reading of a day whatever later revisions say', () =>
    forAll([fc.shuffledSubarray([1, 2, 3, 4], { minLength: 1 }), fc.nat(4)], (revisions, forgetful) => {
      const first = readingOf(sealedManifest());
      const sealed = revisions.map((revision) => ({
        ...dayFigures(0, revision),
        counts: { total: revision, paid: 0, notPaid: 0, cancelled: 0, other: revision },
        // A version before may have sealed one of them.
        first: revision === forgetful ? null : first,
      }));
      const [known] = sealed.reduce<FollowedDay[]>((history, added) => withDays(history, [added]), []);
      expect(known?.revision).toBe(Math.max(...revisions));
      expect(known?.first).toEqual(revisions.every((one) => one === forgetful) ? null : first);
    }));

  it('knows the first reading of a first revision, and of later ones what they say of it', () => {
    const page = sealedManifest();
    const first = { ...readingOf(page), balanced: false };
    expect(firstReadingOf(page)).toEqual(readingOf(page));
    const sums = { received: { count: 6, sum: '60.000' }, refunds: { count: 2, total: '7.500' } };
    expect(readingOf(page)).toMatchObject(sums);
    expect(firstReadingOf({ ...page, revision: 2 })).toBeNull();
    expect(firstReadingOf({ ...page, revision: 2, first })).toEqual(first);
    // Of an unfinished day.
    expect(firstReadingOf({ ...page, first: null })).toBeNull();
  });

  it('is the same as another one with the same days and figures, and as no other', () => {
    const history = withDays([], [dayFigures(0, 1), dayFigures(1, 1)]);
    expect(isSameHistory(history, withDays([], [dayFigures(1, 1), dayFigures(0, 1)]))).toBe(true);
    expect(isSameHistory(history, history.slice(1))).toBe(false);
    expect(isSameHistory(history, withDays(history, [dayFigures(0, 2)]))).toBe(false);
  });

  it('before a day has the four weeks before it and nothing else', () => {
    const sealed = Array.from({ length: 60 }, (_, offset) => dayFigures(offset, 1));
    const history = withDays([], sealed);
    const day = addDays(FIRST, 40);
    const before = Array.from({ length: 28 }, (_, index) => ({ day: addDays(day, -1 - index) }));
    expect(daysBefore(history, day)).toMatchObject(before);
  });

  it('may lack a day that it does not contain, unless it is full and all its days are newer', () => {
    const sealed = Array.from({ length: 60 }, (_, offset) => dayFigures(offset * 2, 1));
    const full = withDays([], sealed);
    expect(mayLack([], FIRST)).toBe(true);
    expect(mayLack(full.slice(0, 59), addDays(FIRST, -1))).toBe(true);
    expect([-1, 0, 1, 2].filter((offset) => mayLack(full, addDays(FIRST, offset)))).toEqual([1]);
  });

  it('contains figures and nothing about customers', () => {
    const figures = figuresOfDay(sealedManifest());
    const names = 'day revision balanced counts amounts refunds currency first followed told';
    expect(Object.keys(figures).join(' ')).toBe(names);
    expect(Object.keys(figures.refunds)).toEqual(['count', 'total']);
  });
});

const STATUSES = { '0': 'not_paid', '1': 'paid', '3': 'cancelled' } as const;
const SETTINGS: HighlightSettings = {
  invoiceTypes: ['1', '0', '6', '7'],
  invoiceStatuses: STATUSES,
  timeZone: 'Asia/Kuwait',
};
/** In Kuwait it is already the 22nd. */
const PULLED_AT = '2026-11-21T21:30:00.000Z';

interface Row {
  id: string;
  type: string;
  amount: string;
  status: number;
  expiresAt: string;
}

const A_ROW: Row = { id: '501', type: '1', amount: '12.500', status: 0, expiresAt: '2026-11-23' };

/** A line as it is sealed. A large id is written digit for digit. */
function lineOf(row: Row, more: object = {}): string {
  const record = {
    _query_type: row.type,
    amount: row.amount,
    invoice_status: row.status,
    expires_at: row.expiresAt,
    reference_number: `INV-${row.id}`,
    url: `https://pay.example/${row.id}`,
    customer: { name: 'نورة' },
    ...more,
  };
  return JSON.stringify(record).replace('{', `{"id":${row.id},`);
}

function found(
  lines: readonly string[],
  settings: HighlightSettings = SETTINGS,
  redact: string[] = [],
  pulledAt = PULLED_AT,
): InvoiceHighlights {
  const finder = new HighlightFinder(settings, pulledAt);
  for (const line of lines) takeSealedRow(line, redactedColumns(redact), (row) => finder.add(row));
  return finder.highlights();
}

const foundIn = (rows: readonly Row[]) => found(rows.map((row) => lineOf(row)));

const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({
    id: fc.oneof(
      fc.integer({ min: 1, max: 30 }).map(String),
      fc.bigInt({ min: 1n, max: 10n ** 19n }).map(String),
    ),
    type: fc.constantFrom('1', '0', '6', '7', '9'),
    amount: fc.oneof(
      fc.constantFrom('1.000', '0.000', '-2.500', '900719925474099.993', '900719925474099.992'),
      fc.bigInt({ min: 0n, max: 10n ** 9n }).map((amount) => `${amount}.125`),
    ),
    status: fc.constantFrom(0, 0, 1, 3, 8),
    expiresAt: fc.constantFrom('2026-11-21', '2026-11-22', '2026-11-23', '2026-11-25', '2026-11-26'),
  }),
  { maxLength: 40 },
);

const thousandths = (amount: string) => BigInt(amount.replace('.', ''));
const order = (one: bigint | string, other: bigint | string) => (one === other ? 0 : one < other ? -1 : 1);
const largestFirst = (one: Row, other: Row) =>
  order(thousandths(other.amount), thousandths(one.amount)) || order(BigInt(one.id), BigInt(other.id));

describe('for any rows, the highlights are the same as', () => {
  it('those of a sort of all unpaid invoices', () =>
    forAll([rows], (all) => {
      const unpaid = all.filter(({ status }) => status === 0);
      const largest = unpaid.toSorted(largestFirst).slice(0, 5);
      expect(foundIn(all).largestUnpaid).toMatchObject(largest.map(({ id, amount }) => ({ id, amount })));
    }));

  it('those of a sort of all invoices that expire from the day of the pull to three days later', () =>
    forAll([rows], (all) => {
      const soon = all
        .filter(({ status }) => status === 0)
        .filter(({ expiresAt }) => expiresAt >= '2026-11-22' && expiresAt <= '2026-11-25')
        .toSorted((one, other) => order(one.expiresAt, other.expiresAt) || largestFirst(one, other));
      const first = soon.slice(0, 5).map(({ id, expiresAt }) => ({ id, expiresAt }));
      expect(foundIn(all)).toMatchObject({ expiringSoonCount: soon.length, expiringSoon: first });
    }));

  it('exact sums by type, in the order of the registry, with unknown types last', () =>
    forAll([rows], (all) => {
      const types = ['1', '0', '6', '7', '9'].filter((type) => all.some((row) => row.type === type));
      const expected = types.map((type) => {
        const ofType = all.filter((row) => row.type === type);
        const counted = (is: number) => ofType.filter(({ status }) => status === is).length;
        const states = { paid: counted(1), notPaid: counted(0), cancelled: counted(3), other: counted(8) };
        const amount = sumOfTexts(ofType.map((row) => row.amount));
        return { type, count: ofType.length, amount, ...states };
      });
      expect(foundIn(all).byType).toEqual(expected);
    }));
});

describe('an unpaid invoice', () => {
  const only = (more: object, redact: string[] = []) =>
    found([lineOf(A_ROW, more)], SETTINGS, redact).largestUnpaid[0];

  it('has the data that a reader needs to ask for the money', () => {
    expect(only({})).toEqual({
      id: '501',
      reference: 'INV-501',
      customer: 'نورة',
      amount: '12.500',
      expiresAt: '2026-11-23',
      url: 'https://pay.example/501',
    });
  });

  it('shows nothing that the registry redacts', () => {
    const hidden = { reference: null, customer: null, url: null };
    expect(only({}, ['url', 'customer_name', 'reference_number'])).toEqual({ ...only({}), ...hidden });
    expect(only({}, ['customer'])?.customer).toBeNull();
  });

  it.each([
    ['https://pay.example/a?b=c#d', 'https://pay.example/a?b=c#d'],
    ['HTTPS://PAY.example/A', 'https://pay.example/A'],
    ['https://pay.example/a"><b>', 'https://pay.example/a%22%3E%3Cb%3E'],
    ['https://pay.example/a\r\nBcc: x', 'https://pay.example/aBcc:%20x'],
    ['http://pay.example/a', null],
    ['javascript:alert(1)', null],
    ['https://user@pay.example/a', null],
    ['https://:password@pay.example/a', null],
    ['https://', null],
    ['/a', null],
    ['', null],
    [null, null],
    [7, null],
    [`https://pay.example/${'a'.repeat(480)}`, `https://pay.example/${'a'.repeat(480)}`],
    [`https://pay.example/${'a'.repeat(481)}`, null],
    [`https://pay.example/${'"'.repeat(300)}`, null],
  ])('with the URL %j has the link %j', (url, link) => {
    expect(only({ url })?.url).toBe(link);
  });

  it.each(['0000-00-00', '2026-02-30', '2026-11-31', '9999-99-99', undefined])(
    'with the impossible expiry date %s has no expiry date and does not expire soon',
    (expires_at) => {
      const lines = [lineOf(A_ROW, { expires_at })];
      expect(found(lines, SETTINGS, [], '2026-11-30T08:00:00.000Z')).toMatchObject({
        ...{ largestUnpaid: [{ expiresAt: null }], expiringSoon: [], expiringSoonCount: 0 },
      });
    },
  );

  it.each([
    ['', null],
    [null, null],
    [undefined, null],
    [1201, '1201'],
    [JSON.rawJSON('12345678901234567890'), '12345678901234567890'],
  ])('with the reference %j shows %j', (reference_number, reference) => {
    expect(only({ reference_number })?.reference).toBe(reference);
  });
});

it('if the registry has no names for statuses, only counts and amounts are known', () => {
  const settings = { ...SETTINGS, invoiceStatuses: undefined };
  const unknown = { paid: null, notPaid: null, cancelled: null, other: null };
  expect(found([lineOf(A_ROW), lineOf({ ...A_ROW, amount: '0.500', status: 1 })], settings)).toEqual({
    ...{ largestUnpaid: [], expiringSoon: [], expiringSoonCount: null },
    byType: [{ type: '1', count: 2, amount: '13.000', ...unknown }],
  });
});

it.each(['id', 'amount', 'invoice_status', '_query_type'])(
  'a line without %s is refused, because Daybook did not seal it',
  (column) => {
    const line = JSON.stringify({ ...membersOf(JSON.parse(lineOf(A_ROW))), [column]: undefined });
    expect(() => found([line])).toThrow(/^a line of a sealed file is not/);
  },
);
