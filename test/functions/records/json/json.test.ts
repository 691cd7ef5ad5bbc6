import { outlineOf, parseExactJson } from '#records/json/exact-json.ts';
import { integer, jsonNumber, amount, date, datetime, unspecified } from '#records/rows/contract-types.ts';
import { fc, forAll } from '#support/assertions/index.ts';
import { boundedJson, jsonFault, placeIn } from '#records/json/own-json.ts';
import * as z from 'zod';
import { readEvent } from '#records/errors/invalid-event.ts';
import { fieldPath, firstIssue } from '#records/json/schema-issue.ts';

describe('parseExactJson', () => {
  it.each([
    '9007199254740991',
    '"9007199254740993"',
    '{"id" :\n\t 9007199254740993 ,"x":[ -9007199254740995]}',
  ])('returns %s unchanged, but for white space', (text) => {
    expect(JSON.stringify(parseExactJson(text))).toBe(text.replaceAll(/\s/g, ''));
  });

  it('keeps every integer digit for digit', () =>
    forAll([fc.array(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }))], (integers) => {
      const text = `{"list":[${integers.join(',')}]}`;
      expect(JSON.stringify(parseExactJson(text))).toBe(text);
    }));

  it('reads everything else as JSON.parse does', () =>
    forAll([fc.json()], (text) => {
      expect(JSON.stringify(parseExactJson(text))).toBe(JSON.stringify(JSON.parse(text)));
    }));

  it('distinguishes texts from integers, whatever control characters they begin with', () => {
    const text = fc
      .tuple(fc.integer({ min: 0, max: 0x1f }), fc.bigInt(), fc.string())
      .map(([code, digits, rest]) => `${String.fromCharCode(code)}${digits}${rest}`);
    const integer = fc.bigInt().map((value) => JSON.rawJSON(value.toString()));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        integer,
        fc.array(tie('value')),
        fc.dictionary(
          text.map((name) => `${name} `),
          tie('value'),
        ),
      ),
    }));
    forAll([fc.array(value)], (values) => {
      const sent = JSON.stringify(values);
      expect(JSON.stringify(parseExactJson(sent))).toBe(sent);
    });
  });

  it.each([
    '{9007199254740993:1}',
    '{"a":1, 9007199254740993 \n:[]}',
    '[{"a":{9007199254740993:1},"a":2},9007199254740995]',
  ])('refuses %s, where an integer is in the place of a name', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  it('reads safe integers and fractions as numbers beside large ones', () => {
    expect(parseExactJson('[9007199254740993,9007199254740991,0.1234567890123456,1e3]')).toEqual([
      JSON.rawJSON('9007199254740993'),
      9_007_199_254_740_991,
      0.1234567890123456,
      1000,
    ]);
  });
});

const large = JSON.rawJSON('90071992547409931');

it.each([
  ['an integer', integer, [0, -7, large], [1.5, '7', null, undefined, 1e20, Number.NaN, { rawJSON: '7' }]],
  // JavaScript has no such number as 1e999: it would be written as null.
  ['a number', jsonNumber, [0, -1.5, 650.25, 1e21, large], [JSON.parse('1e999'), '7', null]],
])('%s of the contract is of these values', (_what, schema, values, others) => {
  expect(values.filter((value) => !schema.safeParse(value).success)).toEqual([]);
  expect(others.filter((value: unknown) => schema.safeParse(value).success)).toEqual([]);
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const levelsOf = (text: string) => outlineOf(text).levels;

describe('the levels of a text', () => {
  it('are those of the parsed one', () => {
    const text = fc.oneof(
      fc.jsonValue({ maxDepth: 8 }),
      fc.jsonValue({ maxDepth: 3 }).map((value) => ({ a: [value, '"]}\\', { '[[{"': '\\"[' }] })),
    );
    forAll([text, fc.constantFrom(undefined, 2)], (value, indent) => {
      expect(levelsOf(JSON.stringify(value, null, indent))).toBe(depthOf(value));
    });
  });

  it.each<[string, number]>([
    ...['', '   ', '"[[["', '<html>{{{[[[', 'null'].map((text): [string, number] => [text, 0]),
    ...['{"a":"[[[', '[1,"\\', '[]]]]]]][[', '["'].map((text): [string, number] => [text, 1]),
    ['['.repeat(101), 101],
    ['{"a":'.repeat(101), 101],
  ])('that is none, cut or wrong are counted as far as it goes: %j', (text, levels) => {
    expect(levelsOf(text)).toBe(levels);
  });
});

const MOST = 1_500_000;

describe('JSON that people write', () => {
  it('is read as JSON.parse reads it', () =>
    forAll([fc.jsonValue({ maxDepth: 20 })], (value) => {
      const text = JSON.stringify(value);
      const json: unknown = JSON.parse(text);
      expect(boundedJson(text, MOST)).toEqual({ json, repeats: false });
    }));

  it('shows whether a name appears twice, at any place', () => {
    expect(boundedJson('{"a":[{"b":1},{"b":2}]}', MOST)).toMatchObject({ repeats: false });
    expect(boundedJson('{"a":[{"b":1,"\\u0062":2}]}', MOST)).toMatchObject({ repeats: true });
  });

  it.each([
    ['no JSON', '{"password":"secret"', 'is not JSON (line 1, column 21: the text ends too early)'],
    ['deep lists', '['.repeat(101) + ']'.repeat(101), 'nests deeper than 100 levels'],
    ['deeper ones', '['.repeat(3_000_000), 'nests deeper than 100 levels'],
    ['deep members', '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000), 'nests deeper than 100 levels'],
    ['empty members', `[${'{},'.repeat(100_000)}{}]`, 'holds more values than it could need'],
    ['digits', `[${'1,'.repeat(2_000_000)}1]`, 'holds more values than it could need'],
    ['many values', `[${'"a longer one",'.repeat(MOST)}1]`, 'holds more values than it could need'],
  ])('is refused in Daybook’s own words: %s', (_, text, reason) => {
    expect(boundedJson(text, MOST)).toEqual({ reason });
  });

  it('can have ten thousand merchants with a hundred recipients each', () => {
    const recipients = Array.from({ length: 100 }, (_, index) => `person${index}@example.com`);
    const merchants = Array.from({ length: 10_000 }, (_, index) => ({
      merchantCode: `${index}`,
      recipients,
    }));
    expect(boundedJson(JSON.stringify({ merchants }), MOST)).toHaveProperty('json');
  });
});

describe('jsonFault', () => {
  it.each([
    ['', 1, 1, 'the text ends too early'],
    ['{"a":1', 1, 7, 'the text ends too early'],
    ['{\n  "a": 1,\n}', 3, 1, 'there is a comma before the closing bracket'],
    ['[1,\r\n2,\r\n]', 3, 1, 'there is a comma before the closing bracket'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'a comma or a closing bracket is missing'],
    ['{a: 1}', 1, 2, 'a name in double quotes is missing'],
    ["{'a': 1}", 1, 2, 'a text must be in double quotes'],
    ['{"a" 1}', 1, 6, 'a colon is missing'],
    ['{"a":}', 1, 6, 'a value is missing'],
    ['{"a": // why\n1}', 1, 7, 'JSON has no comments'],
    ['{"a": "b\n}', 1, 7, 'a text is not closed on its line'],
    ['{"a": "b', 1, 7, 'a text is not closed on its line'],
    ['{"a": "\\d"}', 1, 8, 'a backslash must come before " \\ / b f n r t or u and four digits'],
    ['{"a": "\u0001"}', 1, 8, 'a control character must be written as \\u and four digits'],
    ['[1]]', 1, 4, 'the JSON ended before this'],
    ['{"a": [1}', 1, 9, 'another closing bracket is expected'],
    ['[tru]', 1, 2, 'a value is missing'],
    ['[1.]', 1, 2, 'a number is not complete'],
    ['[-]', 1, 2, 'a number is not complete'],
    ['[01]', 1, 3, 'a comma or a closing bracket is missing'],
    ['[1e]', 1, 2, 'a number is not complete'],
    ['[1.e5]', 1, 2, 'a number is not complete'],
    ['[1.5.2]', 1, 5, 'a comma or a closing bracket is missing'],
    ['\u00a0{}', 1, 1, 'a value is missing'],
  ])('of %j is at %i:%i: %s', (text, line, column, reason) => {
    const fault = jsonFault(text);
    expect(fault?.reason).toBe(reason);
    expect(placeIn(text, fault?.offset ?? -1)).toEqual({ line, column });
  });

  it('finds a fault exactly where JSON.parse finds one', () => {
    const pieces = '{ } [ ] , : "a" "\\u00e9" "\\x" 1 -0.5e3 01 .5 true'.split(' ');
    const text = fc.oneof(
      fc.json(),
      fc
        .array(fc.constantFrom(...pieces, 'nul', ' ', '\n', '"', "'", '\\'), { maxLength: 12 })
        .map((all) => all.join('')),
      fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 })).map(([json, at, other]) => {
        const cut = at % (json.length + 1);
        return json.slice(0, cut) + other + json.slice(cut + 1);
      }),
    );
    forAll([text], { numRuns: 3_000 }, (json) => {
      const parse = (): unknown => JSON.parse(json);
      if (jsonFault(json) === undefined) expect(parse).not.toThrow();
      else expect(parse).toThrow(SyntaxError);
    });
  });

  it.each([
    ['deep', '['.repeat(3_000_000)],
    ['of one long text', `"${'\\n'.repeat(1_500_000)}`],
    ['of one long number', `[${'1'.repeat(3_000_000)}.]`],
    ['of many values', `[${'1,'.repeat(1_500_000)}]`],
    ['of many lines', '\n'.repeat(3_000_000)],
  ])('takes linear time for a text that is %s', (_what, text) => {
    const { user: began } = process.threadCpuUsage();
    const fault = jsonFault(text);
    placeIn(text, fault?.offset ?? 0);
    expect(fault).toBeDefined();
    expect(process.threadCpuUsage().user - began).toBeLessThan(10_000_000);
  });
});

it.each([
  ['response.invoices.data[3].amount', ['response', 'invoices', 'data', 3, 'amount']],
  ['[0].a', [0, 'a']],
  ['', []],
])('fieldPath writes "%s": members with dots and places with brackets', (path, steps) => {
  expect(fieldPath(steps)).toBe(path);
});

describe('firstIssue', () => {
  it.each<[string, z.ZodType, unknown, string, string]>([
    ['a wrong type', z.object({ a: z.string() }), { a: 1 }, 'a', 'must be string'],
    ['the first of two', z.object({ a: z.string(), b: z.string() }), {}, 'a', 'must be string'],
    ['a fraction', z.object({ a: z.int() }), { a: 1.5 }, 'a', 'must be int'],
    ['a value outside a list', z.enum(['en', 'ar']), 'fr', '(root)', 'must be one of en, ar'],
    ['a custom check', z.object({ a: unspecified }), {}, 'a', 'must be there'],
    ['an integer of the contract', z.array(integer), ['7'], '[0]', 'must be an integer'],
    ['an amount', amount, '1.5', '(root)', 'must be a decimal string with three fraction digits'],
    ['a date', date, '20.11.2026', '(root)', 'must be a date YYYY-MM-DD'],
    ['a datetime', datetime, '2026-11-20', '(root)', 'must be a datetime YYYY-MM-DD HH:MM:SS'],
    ['a format', z.email(), 'nobody', '(root)', 'must be a valid email'],
    ['too little', z.int().min(1), 0, '(root)', 'is out of bounds (at least 1)'],
    ['too much', z.array(z.int()).max(1), [1, 2], '(root)', 'is out of bounds (at most 1)'],
    ['an unknown member', z.strictObject({}), { canary: 1 }, '(root)', 'has members that are not known here'],
    ['neither of two', z.union([z.int(), z.null()]), 'x', '(root)', 'is not what it must be'],
  ])('says what is expected of %s', (_what, schema, value, path, reason) => {
    const { error } = schema.safeParse(value);
    expect(error && firstIssue(error)).toEqual({ path, reason });
  });

  it('never repeats a given value', () => {
    const schemas: z.ZodType[] = [
      z.enum(['en', 'ar']),
      z.literal('aes-256-cbc'),
      z.email(),
      z.url(),
      z.iso.datetime(),
      z.string().regex(/^[A-Z]{3}$/),
      z.string().max(2),
      z.string().startsWith('https:'),
      z.union([z.literal(1), z.literal(2)]),
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
      z.record(z.string().max(1), z.int()),
      z.strictObject({ a: z.int() }),
      z.array(z.int()),
      amount,
      date,
      datetime,
      integer,
    ];
    forAll([fc.constantFrom(...schemas), fc.string({ maxLength: 20 })], (schema, suffix) => {
      const canary = `canary-${suffix}`;
      for (const value of [canary, { kind: canary }, { a: canary }, [canary]]) {
        const { error } = schema.safeParse(value);
        if (error) expect(firstIssue(error).reason).not.toContain('canary');
      }
    });
  });
});

const event = z.strictObject({ day: z.string(), more: z.strictObject({ a: z.int() }).optional() });

it('an event that fits its schema is passed on', () => {
  expect(readEvent(event, { day: 'today' })).toEqual({ day: 'today' });
});

it.each([
  [{ day: 1 }, 'day', 'must be string'],
  [{ day: 'x', more: { a: 'x' } }, 'more.a', 'must be number'],
  [{ day: 'x', dya: 'x' }, 'dya', 'is not known here'],
  [{ day: 'x', more: { a: 1, b: 2 } }, 'more.b', 'is not known here'],
])('the event %j is refused with an error that names its member', (given, member, reason) => {
  const message = `the event is not usable: ${member}: ${reason}`;
  const error = { name: 'InvalidEventError', member, message };
  expect(() => readEvent(event, given)).toThrow(expect.objectContaining(error));
});
