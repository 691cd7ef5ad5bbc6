import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AmountError, formatAmount, parseAmount } from '#records/money/money.ts';
import { matcher } from '#support/assertions/matcher.ts';
import { ANY_CHARACTER } from '#support/fuzz/any-character.ts';

/** Thousandths of amounts with up to thirty digits before the point. Most of them are far beyond 2^53. */
const thousandths = fc.bigInt({ min: -(10n ** 33n) + 1n, max: 10n ** 33n - 1n });

describe('parseAmount', () => {
  it.each([
    ['0.000', 0n],
    ['143.500', 143_500n],
    ['-1.500', -1_500n],
    ['-0.001', -1n],
    ['007.010', 7_010n],
    ['-0.000', 0n],
    ['999999999999.999', 999_999_999_999_999n],
    ['9999999999999.999', 9_999_999_999_999_999n],
    ['9007199254740993.001', 9_007_199_254_740_993_001n],
  ])('reads %s', (text, amount) => {
    expect(parseAmount(text)).toBe(amount);
  });

  it.each([
    '',
    '1',
    '1.5',
    '1.50',
    '1.5000',
    '.500',
    '1.',
    '1,500',
    '1,000.000',
    '+1.500',
    '--1.500',
    '- 1.500',
    ' 1.500',
    '1.500 ',
    '1.500\n',
    '1e3.000',
    '0x1.000',
    '١٢.٥٠٠',
    'NaN',
    `${'9'.repeat(31)}.000`,
  ])('rejects %j', (text) => {
    expect(() => parseAmount(text)).toThrow(AmountError);
  });

  it('does not repeat the rejected text', () => {
    expect(() => parseAmount('canary-7')).toThrow(
      expect.objectContaining({
        name: 'AmountError',
        message: matcher(expect.not.stringContaining('canary')),
      }),
    );
  });

  it('accepts no text that the contract does not show', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), (text) => {
        fc.pre(!/^-?[0-9]{1,30}\.[0-9]{3}$/.test(text) || text.includes('\n'));
        expect(() => parseAmount(text)).toThrow(AmountError);
      }),
    );
  });
});

describe('formatAmount', () => {
  it.each([
    [0n, '0.000'],
    [1n, '0.001'],
    [-1n, '-0.001'],
    [-999n, '-0.999'],
    [1_000n, '1.000'],
    [143_500n, '143.500'],
  ])('prints %s as %s', (amount, text) => {
    expect(formatAmount(amount)).toBe(text);
  });

  it('prints the same text that parseAmount read', () => {
    fc.assert(fc.property(thousandths, (amount) => parseAmount(formatAmount(amount)) === amount));
  });

  it('prints no negative zero', () => {
    expect(formatAmount(parseAmount('-0.000'))).toBe('0.000');
  });
});

describe('sums of amounts', () => {
  it('are exact far beyond 2^53', () => {
    const sum =
      parseAmount('9007199254740993.001') + parseAmount('9007199254740993.002') - parseAmount('0.003');
    expect(formatAmount(sum)).toBe('18014398509481986.000');
  });

  it('do not depend on the order', () => {
    fc.assert(
      fc.property(fc.array(thousandths, { maxLength: 20 }), (amounts) => {
        const texts = amounts.map(formatAmount);
        const add = (list: string[]) => list.reduce((sum, text) => sum + parseAmount(text), 0n);
        expect(add(texts)).toBe(add(texts.toReversed()));
        expect(add(texts)).toBe(amounts.reduce((sum, amount) => sum + amount, 0n));
      }),
    );
  });
});
