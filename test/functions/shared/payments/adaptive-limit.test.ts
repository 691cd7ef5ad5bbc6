import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AdaptiveLimit } from '../../../../functions/shared/payments/adaptive-limit.ts';

function fallen(most: number, times: number): AdaptiveLimit {
  const limit = new AdaptiveLimit(most);
  for (let time = 0; time < times; time += 1) limit.overloaded(limit.generation);
  return limit;
}

describe('AdaptiveLimit', () => {
  it('begins with the most', () => {
    expect(new AdaptiveLimit(16).value).toBe(16);
  });

  it('halves when the service is overloaded, down to one', () => {
    expect([1, 2, 3, 4, 5, 9].map((times) => fallen(16, times).value)).toEqual([8, 4, 2, 1, 1, 1]);
  });

  it('takes a whole window of failures for one sign', () => {
    const limit = new AdaptiveLimit(16);
    const { generation } = limit;
    for (let request = 0; request < 16; request += 1) limit.overloaded(generation);
    expect(limit.value).toBe(8);
  });

  it('falls again for a failure of a request that began after the fall', () => {
    const limit = new AdaptiveLimit(16);
    const before = limit.generation;
    limit.overloaded(before);
    limit.overloaded(limit.generation);
    limit.overloaded(before);
    expect(limit.value).toBe(4);
  });

  it('grows by about one for a limit’s worth of good answers', () => {
    const limit = fallen(16, 1);
    for (let answer = 0; answer < 10; answer += 1) limit.good();
    expect(limit.value).toBe(9);
  });

  it('recovers from anything', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 0, max: 20 }), (most, times) => {
        const limit = fallen(most, times);
        for (let answer = 0; answer < most * most; answer += 1) limit.good();
        expect(limit.value).toBe(most);
      }),
    );
  });

  it('is a whole number from 1 to the most, whatever comes', () => {
    const event = fc.oneof(fc.constant('good'), fc.integer({ min: 0, max: 30 }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), fc.array(event, { maxLength: 200 }), (most, events) => {
        const limit = new AdaptiveLimit(most);
        for (const happened of events) {
          if (typeof happened === 'number') limit.overloaded(happened);
          else limit.good();
          expect(Number.isInteger(limit.value)).toBe(true);
          expect(limit.value).toBeGreaterThanOrEqual(1);
          expect(limit.value).toBeLessThanOrEqual(most);
        }
      }),
    );
  });
});
