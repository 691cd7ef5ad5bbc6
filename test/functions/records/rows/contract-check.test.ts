import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { asSent, listAsSent } from '#records/rows/as-sent.ts';
import { checkOf } from '#records/rows/contract-types.ts';
import { outlineOf, parseExactJson } from '#records/json/exact-json.ts';
import { invoiceSchema } from '#records/rows/invoice.ts';
import { refundSchema } from '#records/rows/refund.ts';
import { mutatedText, runs } from '#support/fuzz/mutations.ts';
import { invoiceRecord, refundRecord } from '#support/domain/sample-records.ts';
import { membersOf } from '#support/assertions/members.ts';

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
    fc.assert(
      fc.property(changed(record), (value) => {
        const accepted = schema.safeParse(value).success;
        if (!accepted) refused += 1;
        expect(check(value)).toBe(accepted);
      }),
      { numRuns: 3_000 },
    );
    expect(refused).toBeGreaterThan(500);
  });

  it('gives the same result as the schema for a mutated text', () => {
    fc.assert(
      fc.property(mutatedText(record), (text) => {
        if (outlineOf(text).levels > 100) return;
        let value: unknown;
        try {
          value = parseExactJson(text);
        } catch {
          return;
        }
        expect(check(value)).toBe(schema.safeParse(value).success);
      }),
      runs(1_000),
    );
  });

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

describe('a list as sent', () => {
  const schema = listAsSent(invoiceSchema);

  it('is returned unchanged', () => {
    const list = [invoiceRecord(), invoiceRecord({ id: 2 })];
    expect(schema.parse(list)).toBe(list);
  });

  it('names the first record that does not follow the contract, and its member', () => {
    const list = [invoiceRecord(), invoiceRecord({ amount: 'x' }), invoiceRecord({ id: 'y' })];
    expect(schema.safeParse(list).error?.issues).toMatchObject([
      { path: [1, 'amount'], message: 'must be a decimal string with three fraction digits' },
    ]);
  });

  it.each([undefined, null, { 0: 1 }, 'x', 7])('cannot be %j', (value) => {
    expect(schema.safeParse(value).error?.issues).toMatchObject([{ path: [], message: 'must be array' }]);
  });

  it('of one record is named like a single record', () => {
    const wrong = invoiceRecord({ customer: { name: 'N', email: 7, phone_number: '1' } });
    expect(asSent(invoiceSchema).safeParse(wrong).error?.issues).toMatchObject([
      { path: ['customer', 'email'], message: 'must be string' },
    ]);
  });
});
