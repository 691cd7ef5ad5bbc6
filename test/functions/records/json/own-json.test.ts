import { describe, expect, it } from 'vitest';
import { boundedJson, jsonFault, placeIn } from '#records/json/own-json.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

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
    expect(boundedJson('{"a":[{"b":1,"\\\\u0062":2}]}'.replace('\\\\', '\\'), MOST)).toMatchObject({
      repeats: true,
    });
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
      let parses = true;
      try {
        JSON.parse(json);
      } catch {
        parses = false;
      }
      expect(jsonFault(json) === undefined).toBe(parses);
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
