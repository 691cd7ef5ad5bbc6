import { describe, expect, it } from 'vitest';
import { parseExactJson } from '#domain/json/exact-json.ts';
import { isKnownColumn, redacted, redactedColumns } from '#domain/records/redaction.ts';
import { membersOf } from '#support/assertions/members.ts';

function rest(record: string, ...columns: string[]): string {
  const parsed = membersOf(parseExactJson(record));
  return JSON.stringify(redacted(parsed, redactedColumns(columns)));
}

describe('what is left out', () => {
  it.each([
    ['a member', '{"token":"x","id":1}', ['token'], '{"token":null,"id":1}'],
    [
      'whatever its case',
      '{"Token":"x","ACCESS_KEY":"y"}',
      ['token', 'access_key'],
      '{"Token":null,"ACCESS_KEY":null}',
    ],
    ['whatever the case of the setting', '{"auth":"x"}', ['Auth'], '{"auth":null}'],
    [
      'a member of an object',
      '{"customer":{"name":"x","age":7}}',
      ['customer_name'],
      '{"customer":{"name":null,"age":7}}',
    ],
    ['an object', '{"customer":{"name":"x"}}', ['customer'], '{"customer":null}'],
    [
      'a member of objects in a list',
      '{"products":[{"name":"x"},[{"name":"y"}],3]}',
      ['products_name'],
      '{"products":[{"name":null},[{"name":null}],3]}',
    ],
    ['a member far down', '{"a":{"b":[{"c":{"d":"x"}}]}}', ['a_b_c_d'], '{"a":{"b":[{"c":{"d":null}}]}}'],
    ['two that have one column name', '{"a_b":"x","a":{"b":"y"}}', ['a_b'], '{"a_b":null,"a":{"b":null}}'],
    [
      'a name that JavaScript has another use for',
      '{"__proto__":{"a":"x"}}',
      ['__proto___a'],
      '{"__proto__":{"a":null}}',
    ],
    [
      'nothing but that',
      '{"tokens":"x","other":{"token":"y"}}',
      ['token'],
      '{"tokens":"x","other":{"token":"y"}}',
    ],
    [
      'and integers beyond 2^53 stay',
      '{"n":12345678901234567890,"o":{"n":9007199254740993}}',
      ['x'],
      '{"n":12345678901234567890,"o":{"n":9007199254740993}}',
    ],
  ])('%s', (_what, record, columns, expected) => {
    expect(rest(record, ...columns)).toBe(expected);
  });

  it('is nothing where no column is to be left out', () => {
    const record = { token: 'x' };
    expect(redacted(record, redactedColumns([]))).toBe(record);
  });
});

it('columns of the contract are known, of both tables and of objects, and others are not', () => {
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
