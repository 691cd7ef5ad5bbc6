import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { withoutIsolates } from '#mail/formatters/outside-text.ts';
import { LANGUAGES, textsIn } from '#mail/texts/texts.ts';
import { formatAmount } from '#records/money/money.ts';
import { forAll } from '#support/assertions/for-all.ts';

const words = (currency = 'KWD', language: (typeof LANGUAGES)[number] = 'en') =>
  new FigureFormatter(textsIn(language), currency, { list: 50, rows: 200, text: 500 });
const printed = (text: string) => withoutIsolates(text).replaceAll('\u00A0', ' ');

describe('an amount', () => {
  it.each([
    ['KWD', '0.000', '0.000 KWD'],
    ['KWD', '999.999', '999.999 KWD'],
    ['KWD', '-1234567.500', '-1,234,567.500 KWD'],
    ['KWD', '123456789012345678901234567890.123', '123,456,789,012,345,678,901,234,567,890.123 KWD'],
    ['USD', '12.500', '12.50 USD'],
    ['USD', '1234.000', '1,234.00 USD'],
    // A digit that the currency does not have is a figure all the same.
    ['USD', '12.505', '12.505 USD'],
    ['JPY', '1500.000', '1,500 JPY'],
    ['JPY', '1500.500', '1,500.500 JPY'],
    ['KWD', 'no\namount', 'no amount KWD'],
  ])('in %s of %s is %s', (currency, amount, text) => {
    expect(printed(words(currency).amount(amount))).toBe(text);
    const number = text.slice(0, -4);
    expect(printed(words(currency, 'ar').amount(amount)).slice(0, number.length + 1)).toBe(`${number} `);
  });

  it('loses no digit, whatever the language and the currency', () =>
    forAll(
      [
        fc.bigInt({ min: -(10n ** 32n), max: 10n ** 32n }),
        fc.constantFrom('KWD', 'USD', 'JPY', 'XYZ'),
        fc.constantFrom(...LANGUAGES),
      ],
      (thousandths, currency, language) => {
        const text = printed(words(currency, language).amount(formatAmount(thousandths)));
        const [number = ''] = text.replaceAll(',', '').split(' ');
        const [whole = '', fraction = ''] = number.split('.');
        expect(`${whole}.${fraction.padEnd(3, '0')}`).toBe(formatAmount(thousandths));
      },
    ));

  it.each([
    ['KWD', '1234.500', '\u2068\u20681,234.500\u2069\u00A0د.ك\u2069'],
    ['SAR', '-1.500', '\u2068\u2068-1.50\u2069\u00A0ر.س\u2069'],
    ['USD', '1.000', '\u2068\u20681.00\u2069\u00A0دولار\u00A0أمريكي\u2069'],
    // A currency without a text of ours keeps its code.
    ['XYZ', '1.000', '\u20681.00\u00A0XYZ\u2069'],
  ])('in %s in Arabic has the currency’s sign or name: %s', (currency, amount, text) => {
    expect(words(currency, 'ar').amount(amount)).toBe(text);
  });

  it('that is unknown is not zero', () => {
    expect(words().amount(null)).toBe('unknown');
  });
});

it.each([
  [null, 'unknown'],
  [0, '0'],
  [-1200, '-1,200'],
  [9_007_199_254_740_991, '9,007,199,254,740,991'],
])('a count of %s is %s', (count, text) => {
  expect(printed(words().count(count))).toBe(text);
});

it.each([
  [0n, '0'],
  [120n, '+12'],
  [-35n, '-3.5'],
  [5n, '+0.5'],
  [-12_345_670n, '-1,234,567'],
])('a difference of %s tenths is %s', (tenths, text) => {
  expect(printed(words().countDifference(tenths))).toBe(text);
});

it('a type without a name is told by its number, which cannot be taken for a name', () => {
  expect(words().invoiceType('7')).toBe('Instalment');
  expect(printed(words().invoiceType('12'))).toBe('Type 12');
  expect(printed(words().invoiceType('other'))).toBe('Type other');
});

const arabic = words('KWD', 'ar');

it.each([
  ['a percentage', arabic.percent('12.500'), '12.5%'],
  ['a count in a sentence', arabic.texts.say('moreLines', { count: 12 }), 'و12 سطرًا آخر'],
  ['an id', arabic.texts.say('invoice', { id: arabic.outside('1400') }), 'الفاتورة 1400'],
  ['a type', arabic.invoiceType('12'), 'النوع 12'],
])('in Arabic %s is %s: %s', (_, text, expected) => {
  expect(printed(text)).toBe(expected);
});

describe('a figure of a table', () => {
  it('has no currency, but its decimals', () => {
    expect(printed(words('KWD').bareAmount('1234.500'))).toBe('1,234.500');
    expect(printed(words('USD').bareAmount('-1234.500', true))).toBe('-1,234.50');
    expect(printed(words('USD').bareAmount('2.505', true))).toBe('+2.505');
    expect(words('KWD').bareAmount(null)).toBe('unknown');
    expect(printed(words('KWD', 'ar').currency)).toBe('د.ك');
  });

  it.each([
    [35n, '+3.5%'],
    [-40n, '-4%'],
    [0n, '0%'],
    [10_000n, '+1,000%'],
  ])('says %i tenths of a percent with a sign: %s', (tenths, text) => {
    expect(printed(words().percentDifference(tenths))).toBe(text);
  });
});

describe('a payment method', () => {
  it.each([
    ['Credit Card', 'Credit card'],
    ['KNET', 'KNET'],
    ['something else', 'something else'],
    ['__proto__', '__proto__'],
  ])('%s has our name or its own: %s', (method, name) => {
    expect(printed(words().paymentMethod(method))).toBe(name);
  });

  it('of a stranger is cut', () => {
    expect(words().paymentMethod('x'.repeat(5_000)).length).toBeLessThan(600);
  });
});
