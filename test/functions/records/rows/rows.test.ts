import * as z from 'zod';
import { checkOf } from '#records/rows/contract-types.ts';
import { outlineOf, parseExactJson, type Integer, integerText } from '#records/json/exact-json.ts';
import { invoiceSchema, refundSchema } from '#records/rows/contract-records.ts';
import { mutatedText, runs } from '#support/fuzz/mutations.ts';
import { inOrder, invoiceRecord, refundRecord, writtenRow } from '#support/records/records.ts';
import { membersOf, fc, forAll, expectLinearTime, ANY_CHARACTER } from '#support/assertions/index.ts';
import { IdSet } from '#records/rows/id-set.ts';
import { isKnownColumn, redacted, redactedColumns } from '#records/rows/redaction.ts';
import { createHash } from 'node:crypto';
import { RowDigest, revisionDigest } from '#records/rows/row-digest.ts';
import { RenamedMembersError, WrittenNames } from '#records/rows/written-names.ts';
import { BoundedNames, NameTally } from '#records/rows/drift-tallies.ts';

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

const small = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.maxSafeInteger(),
  fc.integer({ min: 0, max: 30 }).map((step) => step * 2 ** 32),
);
const large = fc.bigInt({ min: 2n ** 53n, max: 2n ** 53n + 9n }).map((id) => JSON.rawJSON(id.toString()));
const ids = fc.array(fc.oneof<fc.Arbitrary<Integer>[]>(small, large), { maxLength: 3_000, size: 'max' });

describe('a set of ids', () => {
  it('contains each id once, however large and however many the ids are', () =>
    forAll([ids], { numRuns: 60 }, (given) => {
      const set = new IdSet();
      const model = new Set<string>();
      for (const id of given) {
        const text = integerText(id);
        expect(set.add(id)).toBe(!model.has(text));
        model.add(text);
        expect(set.size).toBe(model.size);
      }
    }));

  it('treats 0 and -0 as the same id', () => {
    const set = new IdSet();
    expect([set.add(-0), set.add(0), set.size]).toEqual([true, false, 1]);
  });

  it.each([
    ['that follow each other', (index: number) => 10_000_000_000 - index],
    ['at equal distances from each other', (index: number) => index * 65_536],
    ['far apart', (index: number) => index * 2 ** 32],
  ])('finds 200,000 ids %s in a short time', (_what, idAt) => {
    const set = new IdSet();
    for (let index = 0; index < 200_000; index += 1) set.add(idAt(index));
    let again = 0;
    for (let index = 0; index < 200_000; index += 1) if (set.add(idAt(index))) again += 1;
    expect([set.size, again]).toEqual([200_000, 0]);
  });
});

function rest(record: string, ...columns: string[]): string {
  const parsed = membersOf(parseExactJson(record));
  return JSON.stringify(redacted(parsed, redactedColumns(columns)));
}

describe('redaction', () => {
  /** Every "x" of the record is what must go, and nothing else. */
  it.each([
    ['a member', 'token', '{"token":"x","id":1}'],
    ['a member in any case', 'token access_key', '{"Token":"x","ACCESS_KEY":"x"}'],
    ['a setting in any case', 'Auth', '{"auth":"x"}'],
    ['a member of an object', 'customer_name', '{"customer":{"name":"x","age":7}}'],
    ['a text in place of an object', 'customer_name', '{"customer":"x","url":"y"}'],
    ['texts in place of an object', 'customer_name', '{"customer":["x",["x"],{"name":"x"}]}'],
    ['no text beside a column with a similar name', 'url_status', '{"url":"y"}'],
    ['no other object than the column is of', 'transaction_auth', '{"customer":7}'],
    ['a member of objects in a list', 'products_name', '{"products":[{"name":"x"},[{"name":"x"}],3]}'],
    ['a deeply nested member', 'a_b_c_d', '{"a":{"b":[{"c":{"d":"x"}}]}}'],
    ['two members with the same column name', 'a_b', '{"a_b":"x","a":{"b":"x"}}'],
    ['a name with a special meaning in JavaScript', '__proto___a', '{"__proto__":{"a":"x"}}'],
    ['nothing else', 'token', '{"tokens":"y","other":{"token":"y"}}'],
    ['no integer beyond 2^53', 'x', '{"n":12345678901234567890,"o":{"n":9007199254740993}}'],
  ])('of a record removes %s', (_what, columns, record) => {
    expect(rest(record, ...columns.split(' '))).toBe(record.replaceAll('"x"', 'null'));
  });

  it('of an object removes all of it', () => {
    expect(rest('{"customer":{"name":"x"}}', 'customer')).toBe('{"customer":null}');
  });

  it('returns the record itself if there is no column to redact', () => {
    const record = { token: 'x' };
    expect(redacted(record, redactedColumns([]))).toBe(record);
  });
});

it('columns of both tables and of objects are known, and other columns are not', () => {
  const known = ['token', 'customer_name', 'customer', 'transaction_Auth', 'transaction_display_name'];
  expect([...known, 'acess_key', 'customer.name', 'nickname'].filter(isKnownColumn)).toEqual(known);
});

function tableOf(rows: readonly string[]): RowDigest {
  const digest = new RowDigest();
  for (const row of rows) digest.add(row);
  return digest;
}

const rows = fc.array(fc.string({ unit: ANY_CHARACTER, maxLength: 12 }), { maxLength: 12 });

it('RowDigest is the number of rows and the sum of their SHA-256, modulo 2^256', () =>
  forAll([rows], (given) => {
    const hashes = given.map((row) => BigInt(`0x${createHash('sha256').update(row).digest('hex')}`));
    const sum = hashes.reduce((total, hash) => BigInt.asUintN(256, total + hash), 0n);
    expect(tableOf(given).value()).toBe(`${given.length}:${sum.toString(16).padStart(64, '0')}`);
  }));

it('the digest of a revision is SHA-256 in hexadecimal, and depends on the table of each row', () => {
  const digest = revisionDigest([tableOf(['a']), tableOf([])]);
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(revisionDigest([tableOf([]), tableOf(['a'])])).not.toBe(digest);
});

/** The names of one object as they are written, in the order of the given names. */
function written(names: readonly string[]): string[] {
  const sent = Object.fromEntries(names.map((name) => [name, 0]));
  const row = writtenRow('invoices', invoiceRecord({ more: sent }), new BoundedNames());
  return Object.keys(membersOf(row['more']));
}

/** The name in one of its possible mixtures of capital and small letters. */
function inOtherCase(index: number): string {
  return Array.from('abcdefghijklm')
    .map((letter, place) => ((index >> place) & 1 ? letter.toUpperCase() : letter))
    .join('');
}

describe('names that are equal in lower case', () => {
  it('are written with the smallest free numbers', () => {
    const name = fc.constantFrom('a', 'A', 'a__2', 'A__2', 'a__3', 'a__2__2', 'b', 'B');
    forAll([fc.uniqueArray(name)], (names) => {
      const taken = new Set<string>();
      const expected = names.toSorted().map((sent) => {
        let candidate: string = sent;
        for (let number = 2; taken.has(candidate.toLowerCase()); number += 1)
          candidate = `${sent}__${number}`;
        taken.add(candidate.toLowerCase());
        return candidate;
      });
      expect(written(names)).toEqual(expected);
    });
  });

  it('take time in proportion to their number', async () => {
    const names = Array.from({ length: 8_000 }, (_, index) => inOtherCase(index));
    await expectLinearTime((length) => {
      const writtenNames = new WrittenNames();
      for (const name of names.slice(0, length)) writtenNames.write(name);
    }, 1_000);
  });

  it('are a hundred in one record at most, and those in the items of a list count once', () => {
    const names = Array.from({ length: 101 }, (_, index) => inOtherCase(index));
    expect(written(names)).toHaveLength(101);
    expect(() => written([...names, inOtherCase(101)])).toThrow(RenamedMembersError);
    const items = Array.from({ length: 300 }, () => ({ ID: 1, id: 2 }));
    const record = invoiceRecord({ more: items, [inOtherCase(0)]: 0, [inOtherCase(1)]: 0 });
    const row = writtenRow('invoices', record, new BoundedNames());
    expect(row['more']).toEqual(Array.from({ length: 300 }, () => ({ ID: 1, id__2: 2 })));
  });

  it('are also counted after a long name and at the top of a record', () => {
    const names = Object.fromEntries(Array.from({ length: 102 }, (_, index) => [inOtherCase(index), 0]));
    for (const members of [names, { ['n'.repeat(1_000)]: names }]) {
      const record = invoiceRecord(members);
      expect(() => writtenRow('invoices', record, new BoundedNames())).toThrow(RenamedMembersError);
    }
  });
});

it('members with any names are in the order of their names, and are otherwise unchanged', () => {
  const name = fc.oneof(
    fc.constantFrom('a', 'A', 'B', 'b__2', '0', '7', '10', '4294967295', '1000000000', '__proto__', ''),
    fc.string(),
    fc.nat().map(String),
  );
  const { object } = fc.letrec<{ object: Record<string, unknown> }>((tie) => ({
    object: fc
      .uniqueArray(fc.tuple(name, fc.oneof(fc.nat(3), fc.constant([]), tie('object'))), {
        maxLength: 80,
        selector: ([key]) => key.toLowerCase(),
      })
      .map((entries): Record<string, unknown> => Object.fromEntries(entries)),
  }));
  forAll([object], (sent) => {
    const row = writtenRow('invoices', invoiceRecord({ more: sent }), new BoundedNames());
    expect(JSON.stringify(row['more'])).toBe(JSON.stringify(inOrder(sent)));
  });
});

describe('names that are kept', () => {
  it('are a hundred short ones, and the number of the others', () => {
    const tally = new NameTally();
    const names = Array.from({ length: 150 }, (_, index) => `name ${index}`);
    for (const name of [...names, 'name 7', 'name 149']) tally.add(name);
    expect(Object.keys(tally.counts())).toHaveLength(100);
    expect([tally.counts()['name 7'], tally.others]).toEqual([2, 51]);
  });

  it('are cut if they are long', () => {
    const names = new BoundedNames();
    writtenRow('invoices', invoiceRecord({ ['n'.repeat(100_000)]: { A: 1, a: 2 } }), names);
    expect([...names.keys()].every((name) => name.length <= 200)).toBe(true);
    expect(names.size).toBeGreaterThan(0);
  });
});
