import { describe, expect, it } from 'vitest';
import { parseExactJson } from '#records/json/exact-json.ts';
import { isKnownColumn, redacted, redactedColumns } from '#records/rows/redaction.ts';
import { membersOf } from '#support/assertions/members.ts';

function rest(record: string, ...columns: string[]): string {
  const parsed = membersOf(parseExactJson(record));
  return JSON.stringify(redacted(parsed, redactedColumns(columns)));
}

describe('redaction', () => {
  it.each([
    ['a member', '{"token":"x","id":1}', ['token'], '{"token":null,"id":1}'],
    [
      'a member in any case',
      '{"Token":"x","ACCESS_KEY":"y"}',
      ['token', 'access_key'],
      '{"Token":null,"ACCESS_KEY":null}',
    ],
    ['a setting in any case', '{"auth":"x"}', ['Auth'], '{"auth":null}'],
    [
      'a member of an object',
      '{"customer":{"name":"x","age":7}}',
      ['customer_name'],
      '{"customer":{"name":null,"age":7}}',
    ],
    ['an object', '{"customer":{"name":"x"}}', ['customer'], '{"customer":null}'],
    [
      'a text in place of an object',
      '{"customer":"x","url":"y"}',
      ['customer_name'],
      '{"customer":null,"url":"y"}',
    ],
    [
      'texts in place of an object',
      '{"customer":["x",["y"],{"name":"z"}]}',
      ['customer_name'],
      '{"customer":[null,[null],{"name":null}]}',
    ],
    ['a text beside a column with a similar name', '{"url":"y"}', ['url_status'], '{"url":"y"}'],
    ['another object than the column is of', '{"customer":7}', ['transaction_auth'], '{"customer":7}'],
    [
      'a member of objects in a list',
      '{"products":[{"name":"x"},[{"name":"y"}],3]}',
      ['products_name'],
      '{"products":[{"name":null},[{"name":null}],3]}',
    ],
    [
      'a deeply nested member',
      '{"a":{"b":[{"c":{"d":"x"}}]}}',
      ['a_b_c_d'],
      '{"a":{"b":[{"c":{"d":null}}]}}',
    ],
    [
      'two members with the same column name',
      '{"a_b":"x","a":{"b":"y"}}',
      ['a_b'],
      '{"a_b":null,"a":{"b":null}}',
    ],
    [
      'a name with a special meaning in JavaScript',
      '{"__proto__":{"a":"x"}}',
      ['__proto___a'],
      '{"__proto__":{"a":null}}',
    ],
    [
      'nothing else',
      '{"tokens":"x","other":{"token":"y"}}',
      ['token'],
      '{"tokens":"x","other":{"token":"y"}}',
    ],
    [
      'no integer beyond 2^53 beside it',
      '{"n":12345678901234567890,"o":{"n":9007199254740993}}',
      ['x'],
      '{"n":12345678901234567890,"o":{"n":9007199254740993}}',
    ],
  ])('of a record removes %s', (_what, record, columns, expected) => {
    expect(rest(record, ...columns)).toBe(expected);
  });

  it('returns the record itself if there is no column to redact', () => {
    const record = { token: 'x' };
    expect(redacted(record, redactedColumns([]))).toBe(record);
  });
});

it('columns of both tables and of objects are known, and other columns are not', () => {
  for (const column of [
    'token',
    'customer_name',
    'customer',
    'transaction_Auth',
    'transaction_display_name',
  ]) {
    expect(isKnownColumn(column), column).toBe(true);
  }
  for (const column of ['acess_key', 'customer.name', 'nickname'])
    expect(isKnownColumn(column), column).toBe(false);
});
