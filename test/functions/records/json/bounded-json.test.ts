import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundedJson } from '#records/json/bounded-json.ts';

const MOST = 1_500_000;

describe('JSON that people write', () => {
  test('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
        const text = JSON.stringify(value);
        const json: unknown = JSON.parse(text);
        expect(boundedJson(text, MOST)).toEqual({ json, repeats: false });
      }),
    );
  });

  test('shows whether a name appears twice, at any place', () => {
    expect(boundedJson('{"a":[{"b":1},{"b":2}]}', MOST)).toMatchObject({ repeats: false });
    expect(boundedJson('{"a":[{"b":1,"\\\\u0062":2}]}'.replace('\\\\', '\\'), MOST)).toMatchObject({
      repeats: true,
    });
  });

  test.each([
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

  test('can have ten thousand merchants with a hundred recipients each', () => {
    const recipients = Array.from({ length: 100 }, (_, index) => `person${index}@example.com`);
    const merchants = Array.from({ length: 10_000 }, (_, index) => ({
      merchantCode: `${index}`,
      recipients,
    }));
    expect(boundedJson(JSON.stringify({ merchants }), MOST)).toHaveProperty('json');
  });
});
