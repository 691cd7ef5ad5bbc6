import { describe, expect, it } from 'vitest';
import { outlineOf, parseExactJson } from '#records/json/exact-json.ts';
import { integer, jsonNumber } from '#records/rows/contract-types.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

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
