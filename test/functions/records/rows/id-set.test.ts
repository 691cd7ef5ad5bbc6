import { describe, expect, it } from 'vitest';
import { type Integer, integerText } from '#records/json/exact-json.ts';
import { IdSet } from '#records/rows/id-set.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

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
