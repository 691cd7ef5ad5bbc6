import { addDays, type Day } from '#records/day/business-day.ts';
import type { Outcomes } from '#records/figures/invoice-outcomes.ts';
import {
  addReceived,
  outcomesAt,
  OutcomeTally,
  pagePayments,
  paymentDay,
  type PageOutcomes,
} from '#records/figures/outcome-tally.ts';
import { formatAmount, parseSum, sumOfParts } from '#records/money/money.ts';
import {
  anyInvoices,
  OUTCOME_SETTINGS,
  outcomesOf,
  type MadeInvoice,
  sumOfTexts,
} from '#support/records/records.ts';
import { fc, forAll } from '#support/assertions/index.ts';
import { PaidTwiceFinder } from '#records/figures/paid-twice.ts';
import { lastQuarter, paidByQuarter } from '#records/figures/paid-by-quarter.ts';
import { RefundDayTotals } from '#records/figures/refund-totals.ts';

const DAY = '2026-11-20';
const BOUNDS = { timeZone: 'Asia/Kuwait', from: DAY, until: '2026-12-05' };

function dayOf(paidOn: unknown): Day | null {
  return paymentDay({ transaction: { paid_on: paidOn } }, BOUNDS);
}

describe('the day of a payment time', () => {
  it.each([
    ['2026-11-22 10:05:00', '2026-11-22'],
    ['2026-11-22', '2026-11-22'],
    ['2026/11/2 ', null],
    ['2026/12/2', '2026-12-02'],
    ['22-11-2026 10:05', '2026-11-22'],
    ['11/22/2026 10:05 PM', '2026-11-22'],
    // Not both of 2 December and 12 February are within the bounds.
    ['02/12/2026', '2026-12-02'],
    ['2026-11-22T22:30:00Z', '2026-11-23'],
    ['2026-11-22 22:30:00+03:00', '2026-11-22'],
    [1_795_300_000, '2026-11-22'],
    ['1795300000000', '2026-11-22'],
  ])('is read from %s', (paidOn, day) => {
    expect(dayOf(paidOn)).toBe(day);
  });

  it.each([
    ['before the invoice was made', '2026-11-19 23:59:59'],
    ['after it was read', '2026-12-06'],
    ['no date of the calendar', '2026-11-31'],
    ['another text', 'yesterday'],
    ['a hostile length', '2026-11-22'.padEnd(1_000_000)],
    ['nothing', null],
    ['an object', { date: '2026-11-22' }],
  ])('is not read: %s', (_why, paidOn) => {
    expect(dayOf(paidOn)).toBeNull();
  });

  it('is not read when both orders of day and month are possible', () => {
    const bounds = { ...BOUNDS, from: '2026-01-01', until: '2026-12-31' };
    expect(paymentDay({ transaction: { paid_on: '05/06/2026' } }, bounds)).toBeNull();
    expect(paymentDay({ transaction: { paid_on: '06/06/2026' } }, bounds)).toBe('2026-06-06');
  });

  it('is that of the zone', () =>
    forAll([fc.integer({ min: 0, max: 14 * 24 * 60 })], (minutes) => {
      const at = new Date(Date.parse('2026-11-20T00:00:00Z') + minutes * 60_000);
      const local = new Date(at.getTime() + 3 * 3_600_000).toISOString().slice(0, 10);
      expect(dayOf(at.toISOString())).toBe(local);
    }));
});

const rows = anyInvoices(20, 30);
const LATE = addDays(DAY, 30);

describe('what became of the invoices of a day', () => {
  it('adds up on every day', () =>
    forAll([rows, fc.nat(40)], (all, after) => {
      const outcomes = outcomesOf(DAY, LATE, all);
      const { paid, cancelled, expired, open } = outcomesAt(outcomes, addDays(DAY, after));
      const known = all.map(({ amount }) => ({ count: 1, amount: formatAmount(amount) }));
      expect(sumOfParts([paid, cancelled, expired, open, outcomes.other])).toEqual(sumOfParts(known));
    }));

  it('counts a payment on its day, and one without a readable time on the day of the invoice at first', () => {
    const outcomes = outcomesOf(DAY, LATE, [
      { id: 1, status: 1, amount: 1_000n, paidAfter: 0, linkDays: 3 },
      { id: 2, status: 1, amount: 2_000n, paidAfter: 9, linkDays: 3 },
      { id: 3, status: 1, amount: 4_000n, paidAfter: null, linkDays: 3 },
    ]);
    expect(outcomes.paid).toMatchObject([
      { day: DAY, count: 2, amount: '5.000', seen: 1 },
      { day: addDays(DAY, 9), count: 1, amount: '2.000', seen: 0 },
    ]);
    expect(outcomes.seen).toEqual([]);
  });

  it('counts what a later reading saw settled on the last day that was over, and keeps that day', () => {
    const unpaid: MadeInvoice = { id: 7, status: 0, amount: 1_500n, paidAfter: null, linkDays: 9 };
    const wasOpen = (id: unknown) => id === 7;
    const second = outcomesOf(DAY, addDays(DAY, 5), [{ ...unpaid, status: 1 }], { seen: [], wasOpen });
    expect(second.paid).toMatchObject([{ day: addDays(DAY, 4), count: 1, seen: 1 }]);
    expect(second.seen).toEqual([{ day: addDays(DAY, 4), ids: ['7'] }]);
    const third = outcomesOf(DAY, LATE, [{ ...unpaid, status: 1 }], {
      seen: second.seen,
      wasOpen: () => false,
    });
    expect(third).toEqual(second);
    const cancelled = outcomesOf(DAY, LATE, [{ ...unpaid, status: 3 }], { seen: [], wasOpen });
    expect(cancelled.cancelled).toEqual([{ day: addDays(LATE, -1), count: 1, amount: '1.500' }]);
  });

  it('is unknown without names of the statuses', () => {
    const { invoiceStatuses: _named, ...settings } = OUTCOME_SETTINGS;
    expect(new OutcomeTally(DAY, Date.now(), settings).outcomes()).toBeNull();
    expect(pagePayments({ day: DAY, outcomes: null }).received).toBeNull();
  });
});

describe('what came in', () => {
  it('is every payment once, on its day', () =>
    forAll([fc.array(rows, { minLength: 1, maxLength: 6 })], { numRuns: 50 }, (byDay) => {
      const pages = byDay.map((all, index): PageOutcomes & { outcomes: Outcomes; day: Day } => {
        const day = addDays(DAY, index);
        return { day, outcomes: outcomesOf(day, LATE, all) };
      });
      const days = Array.from({ length: 31 }, (_, index) => {
        const day = addDays(DAY, index);
        const outcomes = pages.find((page) => page.day === day)?.outcomes ?? outcomesOf(day, LATE, []);
        const { received } = pagePayments({ day, currency: 'KWD', outcomes, others: pages });
        if (received === null) throw new Error('the statuses are named');
        return received;
      });
      const all = byDay.flatMap((list) => list.filter(({ status }) => status === 1));
      const total = addReceived(days);
      expect(parseSum(total.sum)).toBe(all.reduce((sum, { amount }) => sum + amount, 0n));
      expect(total.count).toBe(all.length);
      const unread = all.filter(({ paidAfter }) => paidAfter === null).length;
      expect(total.basis).toEqual({ paidOn: all.length - unread, seen: unread, otherCurrency: 0 });
    }));

  it('names what belongs to earlier days, and leaves out another currency', () => {
    const paidLate = (amount: bigint) =>
      outcomesOf(DAY, LATE, [{ id: 1, status: 1, amount, paidAfter: 3, linkDays: 1 }]);
    const others = [
      { day: DAY, currency: 'KWD', outcomes: paidLate(5_000n) },
      { day: addDays(DAY, 1), currency: 'USD', outcomes: { paid: paidLate(7_000n).paid } },
    ];
    const day = addDays(DAY, 3);
    const own = outcomesOf(day, LATE, [{ id: 2, status: 1, amount: 1_000n, paidAfter: 0, linkDays: 1 }]);
    expect(pagePayments({ day, currency: 'KWD', outcomes: own, others }).received).toMatchObject({
      count: 2,
      sum: '6.000',
      ofEarlier: { count: 1, sum: '5.000' },
      byMethod: [{ method: 'KNET', count: 2, amount: '6.000' }],
      basis: { paidOn: 2, seen: 0, otherCurrency: 1 },
    });
  });
});

const STATUS_NAMES = { 0: 'not_paid', 1: 'paid' } as const;

function invoice(id: number, changes: object = {}, customer: object = {}) {
  return {
    _query_type: '1',
    id,
    amount: '5.000',
    invoice_status: 1,
    reference_number: 'R-1',
    customer: { name: 'Noura', email: 'noura@example.com', phone_number: '96555500001', ...customer },
    ...changes,
  };
}

function found(rows: ReturnType<typeof invoice>[]) {
  const finder = new PaidTwiceFinder(STATUS_NAMES);
  for (const row of rows) finder.add(row);
  return finder.found();
}

describe('invoices that may have been paid twice', () => {
  it('are paid, and have the same reference, amount and customer', () => {
    expect(found([invoice(1), invoice(2, { reference_number: 'R-2' }), invoice(3), invoice(4)])).toEqual({
      count: 2,
      first: [
        { ids: ['1', '3'], amount: '5.000' },
        { ids: ['1', '4'], amount: '5.000' },
      ],
    });
  });

  it.each<[string, object, object]>([
    ['not paid', { invoice_status: 0 }, {}],
    ['of another amount', { amount: '5.001' }, {}],
    ['of another reference', { reference_number: 'R-2' }, {}],
    ['of another customer', {}, { phone_number: '96555500002' }],
    ['of a customer who is redacted', { customer: null }, {}],
  ])('are none when one is %s', (_what, changes, customer) => {
    expect(found([invoice(1), invoice(2, changes, customer)]).count).toBe(0);
  });

  it.each<[string, object, object]>([
    ['an empty reference', { reference_number: ' ' }, {}],
    ['a redacted reference', { reference_number: null }, {}],
    ['no customer', {}, { name: '', email: ' ', phone_number: '' }],
  ])('are none when both have %s', (_what, changes, customer) => {
    expect(found([invoice(1, changes, customer), invoice(2, changes, customer)]).count).toBe(0);
  });

  it('are of one customer by the phone number, else by the address, else by the name', () => {
    expect(found([invoice(1), invoice(2, {}, { name: 'N.', email: '' })]).count).toBe(1);
    const mail = { phone_number: '', name: 'N.', email: 'Noura@Example.com ' };
    expect(found([invoice(1, {}, { phone_number: '' }), invoice(2, {}, mail)]).count).toBe(1);
    const name = { phone_number: '', email: '' };
    expect(found([invoice(1, {}, name), invoice(2, {}, name)]).count).toBe(1);
  });

  it.each<[string, object, object]>([
    ['the reference', { reference_number: 1201 }, { reference_number: '1201' }],
    [
      'a long reference',
      { reference_number: JSON.rawJSON('12345678901234567890') },
      { reference_number: '12345678901234567890' },
    ],
    ['the phone number', { customer: { phone_number: 96555500001 } }, {}],
    ['zeros before the amount', { amount: '05.000' }, {}],
  ])('are the same when the service writes %s in another form', (_what, one, other) => {
    expect(found([invoice(1, one), invoice(2, other)]).count).toBe(1);
  });

  it('are not known when the registry does not say which are paid', () => {
    const finder = new PaidTwiceFinder(undefined);
    finder.add(invoice(1));
    finder.add(invoice(2));
    expect(finder.found().count).toBe(0);
  });

  it('are looked for among the first 250,000 and not beyond: memory is bounded', () => {
    const finder = new PaidTwiceFinder(STATUS_NAMES);
    const of = (reference: number) => invoice(reference, { reference_number: reference });
    for (let reference = 1; reference <= 250_001; reference += 1) finder.add(of(reference));
    finder.add(of(250_001));
    expect(finder.found().count).toBe(0);
    finder.add(of(250_000));
    expect(finder.found().count).toBe(1);
  });

  it('are as many as a simple count finds, in any order', () => {
    const row = fc.record({ reference: fc.constantFrom('', 'A', 'B'), status: fc.nat({ max: 1 }) });
    forAll([fc.array(row, { maxLength: 30 })], (rows) => {
      const invoices = rows.map(({ reference, status }, id) =>
        invoice(id, { reference_number: reference, invoice_status: status }),
      );
      const paid = rows.flatMap(({ reference, status }) => (status === 1 && reference ? [reference] : []));
      const wanted = paid.length - new Set(paid).size;
      expect(found(invoices).count).toBe(wanted);
      expect(found(invoices.toReversed()).count).toBe(wanted);
    });
  });
});

const READ_AT = Date.parse('2026-11-21T03:00:00Z');

function paidBefore(payments: readonly { paid_on: unknown; amount: string }[]) {
  const paid = paidByQuarter(DAY, READ_AT, 'Asia/Kuwait', STATUS_NAMES);
  for (const { paid_on, amount } of payments) {
    paid.add({ invoice_status: 1, amount, transaction: { paid_on } });
  }
  paid.add({ invoice_status: 0, amount: '500.000', transaction: { paid_on: null } });
  return paid.before();
}

const paidAt = (...times: unknown[]) => paidBefore(times.map((paid_on) => ({ paid_on, amount: '1.000' })));

describe('what was paid before each quarter of an hour', () => {
  it.each([
    ['2026-11-20 13:59:59', 56],
    ['2026-11-20 14:00:00', 57],
    ['20/11/2026 14:00', 57],
    ['2026-11-20T11:00:00Z', 57],
    ['2026-11-20 00:00:00', 1],
    [1_795_158_000, 41],
  ])('counts %s from quarter %i on', (time, first) => {
    expect(paidAt(time)?.findIndex((sum) => sum > 0n)).toBe(first);
  });

  it('leaves out what was paid on a later day', () => {
    expect(paidAt('2026-11-21 00:30:00')?.at(-1)).toBe(0n);
  });

  it.each([null, '2026-11-20', '2026-11-20 10:05 PM', '2026-11-19 12:00:00', '2026-11-20 25:00:00'])(
    'is not known with a payment at %s',
    (time) => {
      expect(paidAt('2026-11-20 10:00:00', time)).toBeNull();
    },
  );

  it('is the exact sum of the payments before', () =>
    forAll([fc.array(fc.tuple(fc.nat(24 * 60 - 1), fc.nat(10 ** 9)))], (payments) => {
      const paid = payments.map(([minute, amount]) => ({
        paid_on: `${DAY} ${new Date(minute * 60_000).toISOString().slice(11, 19)}`,
        amount: formatAmount(BigInt(amount)),
      }));
      const sumBefore = (end: number) =>
        payments.reduce((sum, [minute, amount]) => (minute < end ? sum + BigInt(amount) : sum), 0n);
      expect(paidBefore(paid)).toEqual(Array.from({ length: 96 }, (_, quarter) => sumBefore(quarter * 15)));
    }));
});

it.each([
  ['2026-11-20T11:14:59Z', 56, '14:00'],
  ['2026-11-20T11:15:00Z', 57, '14:15'],
  ['2026-11-20T21:00:00Z', 0, '00:00'],
])('the last quarter of an hour at %s is %i', (now, quarter, time) => {
  expect(lastQuarter(Date.parse(now), 'Asia/Kuwait')).toEqual({ quarter, time });
});

/** Two statuses may have one name, and a name may be one that every object has as a member. */
const REFUND_NAMES: Record<string, string> = {
  0: 'pending',
  1: 'approved',
  2: 'rejected',
  3: 'constructor',
  4: 'approved',
};

interface Part {
  id: number;
  amount: string;
  status: number;
  refund_at: string;
  transaction_date: string;
}

const days = fc.constantFrom('2026-11-19', DAY, '2026-11-21', '0000-00-00', '2026-02-30', '2026-13-01');
const parts = fc.array(
  fc.record<Part>({
    id: fc.nat(),
    amount: fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }).map(formatAmount),
    status: fc.integer({ min: -1, max: 6 }),
    refund_at: days,
    transaction_date: days.map((day) => `${day} 23:59:59`),
  }),
  { maxLength: 40 },
);

const nameOf = ({ status }: Part) => REFUND_NAMES[status] ?? 'other';
const sumOf = (refunds: readonly Part[] = []) => ({
  count: refunds.length,
  total: sumOfTexts(refunds.map(({ amount }) => amount)),
});

/** The sums of refunds, in all and by status, with the names that are told without any, too. */
function totalsOf(refunds: readonly Part[], told: readonly string[] = Object.values(REFUND_NAMES)) {
  const byName = Map.groupBy(refunds, nameOf);
  const names = [...new Set([...told, ...byName.keys()])].sort();
  return {
    ...sumOf(refunds),
    byStatus: Object.fromEntries(names.map((name) => [name, sumOf(byName.get(name))])),
  };
}

it('refunds are added up by their date, by that of their sale, and apart without a date', () =>
  forAll([parts], (refunds) => {
    const totals = new RefundDayTotals(DAY, REFUND_NAMES);
    for (const one of refunds) totals.add(one);
    const ofDay = totalsOf(refunds.filter((one) => one.refund_at === DAY));
    const ofSales = totalsOf(refunds.filter((one) => one.transaction_date.startsWith(DAY)));
    expect(totals.figures()).toEqual({ ...ofDay, saleBasis: ofSales });
    expect(Object.keys(totals.figures().byStatus)).toEqual(Object.keys(ofDay.byStatus));
    const none = refunds.filter((one) => !one.refund_at.startsWith('2026-11'));
    const ids = none.slice(0, 5).map(({ id }) => id.toString());
    expect(totals.withoutDay).toEqual({ ...totalsOf(none, []), ids });
    const unnamed = refunds.map(({ status }) => status).filter((status) => !(status in REFUND_NAMES));
    const counts = [...Map.groupBy(unnamed, String)].map(([status, all]) => [status, all.length]);
    expect(totals.unknownStatuses.counts()).toEqual(Object.fromEntries(counts));
  }));
