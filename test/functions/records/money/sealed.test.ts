import { describe, expect, it } from 'vitest';
import { addBreakdowns } from '#records/figures/add-breakdowns.ts';
import { breakdownSchema, dayBreakdownSchema } from '#records/figures/breakdown.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import { currencySchema, sealedTypes } from '#records/money/sealed.ts';

const { count, countDifference, amount } = sealedTypes('day');
const LARGEST = { day: `${'9'.repeat(40)}.999`, period: `${'9'.repeat(44)}.999` };
const COUNTS = { day: 10_000_000_000, period: 400_000_000_000 };

describe('a sealed figure', () => {
  it.each([0, 1, COUNTS.day])('%d is a count', (value) => {
    expect(count.safeParse(value).success).toBe(true);
  });

  it.each([-1, 0.5, COUNTS.day + 1, Number.NaN, Number.MAX_SAFE_INTEGER, '1', null])(
    '%s is no count',
    (value) => {
      expect(count.safeParse(value).success).toBe(false);
    },
  );

  it('a count less others may be below zero: the service contradicts itself', () => {
    expect(countDifference.safeParse(-COUNTS.day).success).toBe(true);
    expect(countDifference.safeParse(-COUNTS.day - 1).success).toBe(false);
  });

  it.each(['0.000', '-1.500', LARGEST.day, `-${LARGEST.day}`])('%s is an amount', (value) => {
    expect(amount.parse(value)).toBe(value);
    expect(typeof parseSum(value)).toBe('bigint');
  });

  it.each(['', '1', '1.0', '1.0000', '+1.000', ' 1.000', '1,000.000', '1e3', `9${LARGEST.day}`, 1, null])(
    '%s is no amount',
    (value) => {
      expect(amount.safeParse(value).success).toBe(false);
    },
  );

  it('a million digits are refused at once, and not repeated', () => {
    const began = performance.now();
    const { error } = amount.safeParse(`${'9'.repeat(1_000_000)}.999`);
    expect(error?.message.length).toBeLessThan(500);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('is a currency: three capitals', () => {
    expect(currencySchema.safeParse('KWD').success).toBe(true);
    for (const other of ['', 'kwd', 'KW', 'KWDX', 'K-D'])
      expect(currencySchema.safeParse(other).success).toBe(false);
  });
});

describe('sums of the largest figures', () => {
  const times = (largest: string, by: bigint) => formatAmount(-parseSum(largest) * by);

  it('of 31 days, with refunds and two charges, are figures of a period', () => {
    const period = sealedTypes('period');
    expect(period.amount.safeParse(times(LARGEST.day, 31n * 4n)).success).toBe(true);
    expect(period.count.safeParse(31 * COUNTS.day).success).toBe(true);
  });

  it('of the methods of 31 days, which lose their names, are figures of a breakdown', () => {
    const parts = (names: string[]) =>
      names.map((method) => ({ method, count: COUNTS.day, amount: LARGEST.day }));
    const dayOf = (day: number, methods: number) => ({
      byType: [],
      byMethod: parts(Array.from({ length: methods }, (_, method) => `${day} ${method}`)),
      charges: null,
    });
    const days = Array.from({ length: 31 }, (_, day) => dayBreakdownSchema.parse(dayOf(day, 21)));
    expect(breakdownSchema.safeParse(addBreakdowns(days)).success).toBe(true);
    expect(dayBreakdownSchema.safeParse(dayOf(1, 22)).success).toBe(false);
  });

  it('of 20,000 merchants are figures of a group', () => {
    const group = sealedTypes('group');
    expect(group.amount.safeParse(times(LARGEST.period, 20_000n)).success).toBe(true);
    expect(group.count.safeParse(20_000 * COUNTS.period).success).toBe(true);
    expect(typeof parseSum(times(`${'9'.repeat(60)}.999`, 20_000n))).toBe('bigint');
  });
});
