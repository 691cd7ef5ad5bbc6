import { describe, expect, it } from 'vitest';
import { invoice, invoiceWith } from '#support/hostile-shapes/answers.ts';
import { answerOf, bothWays } from '#support/transcoding/both-ways.ts';

/** The members of a record that stand for the kinds of values. */
const MEMBER = {
  integer: 'invoice_status',
  text: 'description',
  'text or null': 'spliturl',
  amount: 'discount',
  date: 'expires_at',
  datetime: 'updated_at',
  texts: 'payment_method',
  open: 'rentperiod',
  list: 'products',
} as const;
type Kind = keyof typeof MEMBER;

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const zeros = (count: number) => `[${Array.from({ length: count }, () => '0').join(',')}]`;
const inOtherCase = (count: number) =>
  `{${Array.from({ length: count }, (_, at) => `"a${'b'.repeat(at)}":0,"A${'b'.repeat(at)}":0`).join(',')}}`;

const TAKEN: Record<Kind, string[]> = {
  integer: ['0', '7', '-7', '10', '123456789012345', '-123456789012345'],
  text: [
    ...['""', '"a"', '"a,b"', '"a\\"b"', '"a\\\\"', '"\\\\\\""', '"a\\/b"', '"\\u0041"', '"\\n\\r\\t\\b\\f"'],
    ...[
      '"\\u000d\\u000a"',
      '"\\u0000"',
      '"\\ud83e\\uddfe"',
      '"\\ud800"',
      '"\\udc00,"',
      '"\\ue000"',
      '"\ue000"',
      '","',
    ],
    ...[
      '"\ue000,"',
      '"\ue001"',
      '"\uf8ff\uefff"',
      '"\u2028\u2029\u007f\u0080"',
      '"🧾ق"',
      '"=1+1"',
      '"null"',
      '"\\"\ue000"',
    ],
  ],
  'text or null': ['null', '""', '"a"', '"a,\\"b"', '"\\n"', '"null"'],
  amount: [
    '"0.000"',
    '"-0.000"',
    '"12.500"',
    '"-12.500"',
    `"${'9'.repeat(30)}.999"`,
    `"-${'0'.repeat(30)}.000"`,
  ],
  date: ['"2026-11-25"', '"0000-00-00"', '"9999-99-99"'],
  datetime: ['"2026-11-25 10:00:00"', '"9999-99-99 99:99:99"'],
  texts: ['[]', '[""]', '["1"]', '["1","2"]', '["a,b","ق"]', '["",""]', '["\u2028"]', '["]"]'],
  open: [
    ...[
      'null',
      '""',
      '"a,\\"b\\n"',
      '0',
      '-0',
      '7',
      '-7',
      'true',
      'false',
      '1.50',
      '-0.0',
      '1e5',
      '1E-7',
      '1e400',
      '-1e400',
    ],
    ...['123456789012345', '1234567890123456', '9007199254740991', '9007199254740992', '9007199254740993'],
    ...['12345678901234567890', '-12345678901234567890', '12345678901234567890.5', '12345678901234567890e1'],
    ...[
      '[]',
      '{}',
      '[1,2]',
      '{"b":1,"a":2}',
      '{"A":1,"b":2}',
      '{"10":1,"9":2,"a":3}',
      '{"__proto__":{"b":1,"a":2}}',
    ],
    ...[
      '[{"b":[{"d":1,"c":2}],"a":"\\u0041"}]',
      '{"\\u0061":1}',
      ' null',
      ' 1 ',
      '\n{ "b" : 1 , "a" : 2 }',
      ' "a,b"',
    ],
    ...[
      '{"a":"}],\\"","b":"{[:"}',
      '["\\\\"]',
      '[12345678901234567890]',
      '{"a":"\ue000\\n"}',
      deep(20),
      nested(20),
    ],
    ...[zeros(999), '{"toJSON":1,"rawJSON":"2"}', '{"a":-0,"b":1e400}', '{"":1}'],
  ],
  list: [
    '[]',
    '[ ]',
    '[1]',
    '[null,true,"a",1.0]',
    '[{"b":1,"a":2}]',
    '[[],{}]',
    deep(20),
    zeros(999),
    '[\n{"id":1}\n]',
  ],
};

const LEFT: Record<Kind, string[]> = {
  integer: [
    ...[
      '1234567890123456',
      '-1234567890123456',
      '9007199254740993',
      '-0',
      '00',
      '01',
      '-01',
      '1.0',
      '1e2',
      '1.5',
    ],
    ...['"1"', 'null', 'true', '', '-', '+1', '[]', '{}', ' 1', '1 ', '1-', 'a', '1a', '/', ':', '--1'],
  ],
  text: [
    ...[
      'null',
      '1',
      '[]',
      '',
      '"',
      '"a',
      '"\\"',
      '"\n"',
      '"\t"',
      '"\u0000"',
      '"\u001f"',
      '",\n"',
      '"\\"\u0001"',
      '"\\x"',
    ],
    ...['"\\u00"', '"\\u00g0"', "'a'", ' "a"', '"a" ', '"a"b"', 'a"', '"a""b"'],
  ],
  'text or null': ['nul', 'nulll', 'NULL', 'Null', 'none', '1', '[]', '', ' null', '"\n"'],
  amount: [
    ...[
      '12.500',
      '""',
      '"12.50"',
      '"12.5000"',
      '".500"',
      '"12"',
      '"12."',
      '"1,000.000"',
      '"+1.000"',
      '"--1.000"',
    ],
    ...[
      `"${'9'.repeat(31)}.000"`,
      '"1.0000',
      '"1.000 "',
      '" 1.000"',
      '"\\u0031.000"',
      '"1e3.000"',
      '"1:000"',
      'null',
      '"-.000"',
    ],
    ...['"1.00a"', '"a.000"', '"٣.000"', '"1..00"', '1', '"1.000"0', '"1.000x', '"1.000,'],
  ],
  date: [
    ...[
      '"2026-11-2"',
      '"2026-11-255"',
      '"2026/11/25"',
      '"2026-11-25 "',
      '"26-11-25"',
      '"2026-1-25"',
      '""',
      'null',
      '2026',
    ],
    ...[
      '"\\u0032026-11-25"',
      '"2026-11-2a"',
      '"202:-11-25"',
      '"/026-11-25"',
      '2026-11-25',
      '"2026-11-25',
      '"2026011025"',
      '"2026-11-25x',
    ],
  ],
  datetime: [
    ...[
      '"2026-11-25"',
      '"2026-11-25T10:00:00"',
      '"2026-11-25 10:00"',
      '"2026-11-25 10:00:00Z"',
      'null',
      '""',
      '"2026-11-25 10:00:0"',
    ],
    ...['"2026-11-25  10:00:00"', '"2026-11-25 10-00-00"', '"2026-11-25 10:00:00x', '"2026-11-25 10:00:00'],
  ],
  texts: [
    ...[
      'null',
      '"1"',
      '{}',
      '[1]',
      '[null]',
      '["1",]',
      '[,"1"]',
      '["1" ,"2"]',
      '[ ]',
      '["1"',
      '["1";"2"]',
      '["1""2"]',
      '["1",2]',
    ],
    ...['["\\n"]', '["\\""]', '["\ue000"]', '["a', '["\n"]', '[["1"]]', '["1"]]', '[', '["1"}', '["1","'],
  ],
  open: [
    ...[
      '',
      ' ',
      'nul',
      'undefined',
      'NaN',
      '01',
      '-',
      '1.',
      '.5',
      '+1',
      '0x1',
      "'a'",
      '[',
      '{',
      '[1,]',
      '{"a"}',
      '{"a":}',
      '{,}',
    ],
    ...[
      '{"a":1,"a":2}',
      '{"a":1,"\\u0061":2}',
      '{"a":1,"A":2}',
      '[{"x":{"É":1,"é":2}}]',
      '"\n"',
      '["\n"]',
      '[1}',
      '{"a":1]',
    ],
    ...[
      deep(21),
      nested(21),
      zeros(1_000),
      inOtherCase(101),
      inOtherCase(150),
      '1 2',
      '[] []',
      '{}{}',
      '"a" "b"',
      '-00',
      '007',
    ],
    ...['{1:2}', '[1 2]', '{} ', '[] ', '\u00a01', '\ufeff1', 'tru', '-Infinity', '"a"1', '[1]2'],
  ],
  list: [
    ...[
      'null',
      '{}',
      '""',
      '1',
      '',
      '[',
      '[1',
      '[1,]',
      '[1 2]',
      ' []',
      '[]]',
      '[{"a":1,"a":2}]',
      '[{"Id":1,"id":2}]',
      deep(21),
    ],
    ...[zeros(1_000), '[1}', '[[]', '[nul]', '[01]', `[${inOtherCase(101)}]`],
  ],
};

describe.each(Object.entries(MEMBER))('a value that is %s', (kind, member) => {
  const cases = (values: Record<string, string[]>) =>
    (values[kind] ?? []).map((value) => [JSON.stringify(value).slice(0, 60), value] as const);
  const records = (value: string) => [invoice(1), invoiceWith(member, value), invoice(3)];

  it.each(cases(TAKEN))('is taken: %s', (_shown, value) => {
    const { isTaken, transcoded, parsed } = bothWays(answerOf(...records(value)));
    expect(isTaken).toBe(true);
    expect(parsed?.json).toHaveLength(3);
    expect(transcoded).toEqual(parsed);
  });

  it.each(cases(LEFT))('is left to the parser: %s', (_shown, value) => {
    expect(bothWays(answerOf(...records(value))).isTaken).toBe(false);
  });
});
