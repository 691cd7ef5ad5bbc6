import { describe, expect, it } from 'vitest';
import { parseExactJson } from '#records/json/exact-json.ts';
import { isKnownColumn, redacted, redactedColumns } from '#records/rows/redaction.ts';
import { membersOf } from '#support/assertions/members.ts';

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
