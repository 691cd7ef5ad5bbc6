import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { checkOf } from '#records/rows/contract-types.ts';
import { outlineOf, parseExactJson } from '#records/json/exact-json.ts';
import { invoiceSchema, refundSchema } from '#records/rows/contract-records.ts';
import { mutatedText, runs } from '#support/fuzz/mutations.ts';
import { invoiceRecord, refundRecord } from '#support/domain/sample-records.ts';
import { membersOf } from '#support/assertions/members.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const KINDS = [
  ['an invoice', invoiceSchema, invoiceRecord()],
  ['a refund', refundSchema, refundRecord()],
] as const;

/** Any value in place of any member, or no value. */
function changed(record: Record<string, unknown>): fc.Arbitrary<unknown> {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>(
      undefined,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      2 ** 53,
      -0,
      '1.000',
      '2026-11-20',
      JSON.rawJSON('9007199254740993'),
    ),
  );
  const inner = ['transaction', 'customer'].filter((name) => name in record);
  return fc
    .tuple(fc.constantFrom(...Object.keys(record)), fc.constantFrom(...inner), fc.boolean(), value)
    .map(([name, object, inside, to]) => {
      if (!inside) return { ...record, [name]: to };
      const members = membersOf(record[object]);
      return { ...record, [object]: { ...members, [Object.keys(members)[0] ?? '']: to } };
    });
}

describe.each(KINDS)('the check of %s', (_what, schema, record) => {
  const check = checkOf(schema);

  it('accepts a record', () => {
    expect(check(record)).toBe(true);
  });

  it('gives the same result as the schema, with any value in place of a member', () => {
    let refused = 0;
    forAll([changed(record)], { numRuns: 3_000 }, (value) => {
      const accepted = schema.safeParse(value).success;
      if (!accepted) refused += 1;
      expect(check(value)).toBe(accepted);
    });
    expect(refused).toBeGreaterThan(500);
  });

  it('gives the same result as the schema for a mutated text', () =>
    forAll([mutatedText(record)], runs(1_000), (text) => {
      if (outlineOf(text).levels > 100) return;
      let value: unknown;
      try {
        value = parseExactJson(text);
      } catch {
        return;
      }
      expect(check(value)).toBe(schema.safeParse(value).success);
    }));

  it.each([null, undefined, 1, 'x', [], [record]])('refuses %j', (value) => {
    expect(check(value)).toBe(false);
  });
});

describe('a check', () => {
  it.each([
    [z.string().max(2), ['ab', 'abc', 1]],
    [z.array(z.string()).max(1), [['a'], ['a', 'b'], 'a']],
    [z.array(z.number()), [[1], ['1'], [], {}]],
    [z.string().nullable(), ['a', null, undefined]],
    [z.enum(['a', 'b']), ['a', 'c', null]],
    [z.unknown(), [1, null, undefined]],
    [z.looseObject({ a: z.boolean() }), [{ a: true }, { a: 1 }, {}, [true]]],
  ])('of another kind of schema gives the same result as the schema', (schema, values) => {
    for (const value of values) expect(checkOf(schema)(value)).toBe(schema.safeParse(value).success);
  });

  it('can be made only from a schema', () => {
    expect(() => checkOf({ shape: {} })).toThrow(TypeError);
  });
});
