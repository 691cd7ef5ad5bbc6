import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { LONGEST_METHOD } from '#records/figures/breakdown.ts';
import { paymentMethod } from '#records/figures/breakdown-tally.ts';
import { isMembers, parseExactJson } from '#records/json/exact-json.ts';
import { ANY_CHARACTER } from '#support/fuzz/any-character.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const methodOf = (value: unknown) => paymentMethod({ transaction: { payment_type: value } });
const BREAKS_AND_CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/u;

describe('the payment method of an invoice', () => {
  it.each([
    ['a text', 'Apple Pay', 'Apple Pay'],
    ['a text in Arabic', 'بطاقة', 'بطاقة'],
    ['a text with blanks at its ends', ' KNET ', ' KNET '],
    ['a whole number', 7, '7'],
    ['zero', 0, '0'],
    ['minus zero, as JSON writes it', -0, '0'],
    ['a fraction', 0.5, '0.5'],
    ['a large number', 1e21, '1e+21'],
    ['digits beyond 2^53', JSON.rawJSON('9007199254740993'), '9007199254740993'],
    ['a text with line breaks', 'a\r\nb\u2028c\u2029d\u0085e', 'a  b c d e'],
    ['a text with control characters', 'K\u0000N\u001bE\u007fT', 'K N E T'],
    ['a text with half a character', 'K\ud83dN', 'K\ufffdN'],
    ['the longest text', 'x'.repeat(60), 'x'.repeat(60)],
    ['a longer text, cut', 'x'.repeat(61), 'x'.repeat(60)],
    ['the longest text of characters of two units', '😀'.repeat(60), '😀'.repeat(60)],
    ['a longer text of such, cut between two', `x${'😀'.repeat(60)}`, `x${'😀'.repeat(59)}`],
  ])('is %s', (_what, value, method) => {
    expect(methodOf(value)).toBe(method);
  });

  it.each([
    ['null', null],
    ['not there', undefined],
    ['empty', ''],
    ['blank', ' \t\u00a0'],
    ['only line breaks', '\n\r\n'],
    ['blank where it is cut', `${' '.repeat(60)}KNET`],
    ['true', true],
    ['an object', { name: 'KNET' }],
    ['a list', ['KNET']],
    ['a number that JSON cannot write', Infinity],
  ])('is unknown when the member is %s', (_what, value) => {
    expect(methodOf(value)).toBeNull();
  });

  it('is unknown when the transaction is no object', () => {
    const transactions = [null, undefined, 'KNET', ['KNET'], JSON.rawJSON('9007199254740993')];
    expect(transactions.map((transaction) => paymentMethod({ transaction }))).toEqual(Array(5).fill(null));
  });

  it('is one line of whole characters, and the same when it is read again', () =>
    forAll([fc.string({ unit: ANY_CHARACTER, maxLength: 200 })], (text) => {
      const method = methodOf(text);
      if (method === null) return;
      expect(Array.from(method).length).toBeLessThanOrEqual(LONGEST_METHOD);
      expect(method.isWellFormed()).toBe(true);
      expect(method).not.toMatch(BREAKS_AND_CONTROLS);
      expect(methodOf(method)).toBe(method);
    }));

  it('is the same before and after the row was sealed, whatever JSON the service sends', () => {
    const value = fc.oneof(
      fc.json(),
      fc.constantFrom('1e400', '-1e400', '1e20', '1.5e19', '-0', '12345678901234567890', '0.1e-7'),
    );
    const payment = (line: string) => {
      const row = parseExactJson(line);
      return isMembers(row) ? paymentMethod(row) : undefined;
    };
    forAll([value], (json) => {
      const sent = `{"transaction":{"payment_type":${json}}}`;
      expect(payment(JSON.stringify(parseExactJson(sent)))).toBe(payment(sent));
    });
  });

  it('does not keep the whole of a long text in memory', () => {
    setFlagsFromString('--expose-gc');
    const used = () => {
      runInNewContext('gc()');
      return process.memoryUsage().heapUsed;
    };
    const before = used();
    const methods = new Set<string | null>();
    for (let row = 0; row < 200; row += 1) methods.add(methodOf(`${row} ${'x'.repeat(200_000)}`));
    expect(used() - before).toBeLessThan(10_000_000);
    expect(methods.size).toBe(200);
  });
});
