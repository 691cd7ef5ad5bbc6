import type * as z from 'zod';
import { addBreakdowns, breakdownSchema, dayBreakdownSchema } from '#records/figures/breakdown.ts';
import {
  AmountError,
  addAmounts,
  currencySchema,
  formatAmount,
  parseAmount,
  parseSum,
  sealedTypes,
} from '#records/money/money.ts';
import { sumOfTexts } from '#support/records/records.ts';
import { ANY_CHARACTER, fc, forAll } from '#support/assertions/index.ts';

/** Thousandths of amounts with up to thirty digits before the point. Most of them are far beyond 2^53. */
const thousandths = fc.bigInt({ min: -(10n ** 33n) + 1n, max: 10n ** 33n - 1n });

describe('parseAmount', () => {
  it.each([
    ['-0.000', 0n],
    ['007.010', 7_010n],
    ['9007199254740993.001', 9_007_199_254_740_993_001n],
  ])('reads %s', (text, amount) => {
    expect(parseAmount(text)).toBe(amount);
  });

  it.each([
    ['without three decimals', ['', '1', '1.5', '1.50', '1.5000', '1.']],
    ['with separators or signs', ['.500', '1,500', '1,000.000', '+1.500', '--1.500', '- 1.500']],
    ['with blanks', [' 1.500', '1.500 ', '1.500\n']],
    ['in another way of writing', ['1e3.000', '0x1.000', '١٢.٥٠٠', 'NaN']],
    ['of more than thirty digits', [`${'9'.repeat(31)}.000`]],
  ])('rejects a text %s, and does not repeat it: %j', (_what, texts) => {
    const refused = new AmountError('not a decimal string with three fraction digits');
    for (const text of texts) expect(() => parseAmount(text), text).toThrow(refused);
  });

  it('accepts no text that the contract does not show', () =>
    forAll([fc.string({ unit: ANY_CHARACTER })], (text) => {
      fc.pre(!/^-?[0-9]{1,30}\.[0-9]{3}$/.test(text) || text.includes('\n'));
      expect(() => parseAmount(text)).toThrow(AmountError);
    }));
});

describe('amounts', () => {
  // Short and long texts are read in two ways.
  const texts = fc.array(fc.stringMatching(/^-?[0-9]{1,20}\.[0-9]{3}$/));

  it('of texts are added up exactly', () => forAll([texts], (all) => addAmounts(all) === sumOfTexts(all)));

  it('are printed as parseAmount reads them', () =>
    forAll([thousandths], (amount) => parseAmount(formatAmount(amount)) === amount));
});

const { count, countDifference, amount } = sealedTypes('day');
const LARGEST = { day: `${'9'.repeat(40)}.999`, period: `${'9'.repeat(44)}.999` };
const COUNTS = { day: 10_000_000_000, period: 400_000_000_000 };

describe('a sealed figure', () => {
  it.each<[string, z.ZodType, unknown[], unknown[]]>([
    // A count less others may be below zero: the service contradicts itself.
    ['a count', count, [0, 1, COUNTS.day], [-1, 0.5, COUNTS.day + 1, Number.NaN, '1', null]],
    ['a difference of counts', countDifference, [-COUNTS.day, 1], [-COUNTS.day - 1, 0.5]],
    [
      'an amount',
      amount,
      ['0.000', '-1.500', LARGEST.day, `-${LARGEST.day}`],
      ['', '1', '1.0', '1.0000', '+1.000', ' 1.000', '1,000.000', '1e3', `9${LARGEST.day}`, 1, null],
    ],
    ['a currency', currencySchema, ['KWD'], ['', 'kwd', 'KW', 'KWDX', 'K-D']],
  ])('is %s', (_what, schema, values, others) => {
    expect(values.filter((value) => !schema.safeParse(value).success)).toEqual([]);
    expect(others.filter((value) => schema.safeParse(value).success)).toEqual([]);
  });

  it('a million digits are refused at once, and not repeated', () => {
    const { user: began } = process.threadCpuUsage();
    const { error } = amount.safeParse(`${'9'.repeat(1_000_000)}.999`);
    expect(error?.message.length).toBeLessThan(500);
    expect(process.threadCpuUsage().user - began).toBeLessThan(5_000_000);
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
