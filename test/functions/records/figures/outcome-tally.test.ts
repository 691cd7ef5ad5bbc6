import { describe, expect, it } from 'vitest';
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
} from '#support/domain/made-invoices.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

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
