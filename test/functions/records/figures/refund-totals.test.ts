import { describe, expect, it } from 'vitest';
import type { DayRefunds } from '#records/figures/figure-schemas.ts';
import { formatAmount, parseAmount } from '#records/money/money.ts';
import { RefundDayTotals } from '#records/figures/refund-totals.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const DAY = '2026-11-20';
const NAMES = { '0': 'pending', '1': 'approved', '2': 'rejected' };

interface RefundPart {
  id: number;
  amount: string;
  status: number;
  refund_at: string;
  transaction_date: string;
}

function refund(change: Partial<RefundPart> = {}): RefundPart {
  const dates = { refund_at: DAY, transaction_date: `${DAY} 10:00:00` };
  return { id: 7, amount: '1.500', status: 1, ...dates, ...change };
}

function totalsOf(refunds: readonly RefundPart[], names: Record<string, string> = NAMES): RefundDayTotals {
  const totals = new RefundDayTotals(DAY, names);
  for (const one of refunds) totals.add(one);
  return totals;
}

const NONE = { count: 0, total: '0.000' };

describe('RefundDayTotals', () => {
  it('counts by the date of the refund, and separately by the date of the sale', () => {
    const figures = totalsOf([
      refund({ amount: '1.000', transaction_date: '2026-11-19 23:59:59' }),
      refund({ amount: '2.000', refund_at: '2026-11-21' }),
      refund({ amount: '4.000' }),
    ]).figures();
    const two = (total: string) => {
      const sum = { count: 2, total };
      return { ...sum, byStatus: { approved: sum, pending: NONE, rejected: NONE } };
    };
    expect(figures).toEqual({ ...two('5.000'), saleBasis: two('6.000') });
  });

  it('counts a status without a name as other, and says how often each such status appeared', () => {
    const totals = totalsOf([refund({ status: 7 }), refund({ status: 7 }), refund({ status: 9 })]);
    expect(totals.figures()).toMatchObject({ count: 3, byStatus: { other: { count: 3, total: '4.500' } } });
    expect(totals.unknownStatuses.counts()).toEqual({ '7': 2, '9': 1 });
  });

  it('shows other only if there are some', () => {
    expect(Object.keys(totalsOf([refund()]).figures().byStatus)).toEqual(['approved', 'pending', 'rejected']);
  });

  it('adds up statuses of the same name together', () => {
    const names = { '1': 'approved', '4': 'approved' };
    const figures = totalsOf([refund({ status: 1 }), refund({ status: 4 })], names).figures();
    expect(figures.byStatus).toEqual({ approved: { count: 2, total: '3.000' } });
  });

  it('works with names that JavaScript objects already have', () => {
    const figures = totalsOf([refund({ status: 1 })], { '1': 'constructor' }).figures();
    expect(figures.byStatus).toEqual({ constructor: { count: 1, total: '1.500' } });
  });

  it('names refunds whose date is none, valid by shape or not, and counts them by status', () => {
    const none = ['0000-00-00', '2026-02-30', '2026-13-01'].map((refund_at, id) =>
      refund({ id, refund_at, status: id }),
    );
    const totals = totalsOf([refund(), ...none]);
    const one = { count: 1, total: '1.500' };
    const byStatus = { pending: one, approved: one, rejected: one };
    expect(totals.withoutDay).toEqual({ count: 3, total: '4.500', byStatus, ids: ['0', '1', '2'] });
    expect(totals.figures().count).toBe(1);
  });

  it('has sums by status that add up to the total, on both bases', () => {
    const days = fc.constantFrom('2026-11-19', DAY, '2026-11-21', '0000-00-00', '2026-02-30');
    const arbitrary = fc.record<RefundPart>({
      id: fc.nat(),
      amount: fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }).map(formatAmount),
      status: fc.integer({ min: -1, max: 5 }),
      refund_at: days,
      transaction_date: days.map((day) => `${day} 12:00:00`),
    });
    const addsUp = ({ count, total, byStatus }: DayRefunds['saleBasis']) => {
      const parts = Object.values(byStatus);
      expect(parts.reduce((sum, part) => sum + part.count, 0)).toBe(count);
      expect(formatAmount(parts.reduce((sum, part) => sum + parseAmount(part.total), 0n))).toBe(total);
    };
    forAll([fc.array(arbitrary, { maxLength: 40 })], (refunds) => {
      const totals = totalsOf(refunds);
      const figures = totals.figures();
      addsUp(totals.withoutDay);
      addsUp(figures);
      addsUp(figures.saleBasis);
      const countOf = (is: (one: RefundPart) => boolean) => refunds.filter(is).length;
      const isNone = ({ refund_at }: RefundPart) => ['0000-00-00', '2026-02-30'].includes(refund_at);
      expect(totals.withoutDay.count).toBe(countOf(isNone));
      expect(figures.count).toBe(countOf((one) => one.refund_at === DAY));
      expect(figures.saleBasis.count).toBe(countOf((one) => one.transaction_date.startsWith(DAY)));
    });
  });
});
