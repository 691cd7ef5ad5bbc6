import { describe, expect, it } from 'vitest';
import { countOf } from '#service/envelope/answer-schemas.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

describe('a count', () => {
  const MOST = 1e12;

  it.each([0, 1, MOST, '0', '12', '007', '999999999999'])('is read: %j', (value) => {
    expect(countOf(value)).toBe(Number(value));
  });

  it('is unknown for everything else', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.integer({ min: -3, max: 3 }).map((near) => MOST + near),
      fc.stringMatching(/^[-+ ]?\d{0,14}[. ]?$/),
      fc.constantFrom<unknown>(undefined, Number.NaN, Infinity, JSON.rawJSON('9007199254740993'), '١', '0x1'),
    );
    forAll([value], { numRuns: 2_000 }, (any) => {
      const isNumber = typeof any === 'number' && Number.isInteger(any) && any >= 0 && any <= MOST;
      const isCount = isNumber || (typeof any === 'string' && /^\d{1,12}$/.test(any));
      expect(countOf(any)).toBe(isCount ? Number(any) : null);
    });
  });
});
