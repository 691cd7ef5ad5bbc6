import { describe, expect, it } from 'vitest';
import { AdaptiveLimit } from '#service/sending/adaptive-limit.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

/** Good answers to requests that were sent just now, while the limit was fully used. Milliseconds. */
function answer(limit: AdaptiveLimit, times: number, elapsed = 40, waited = elapsed): void {
  for (let time = 0; time < times; time += 1) {
    limit.good({ generation: limit.generation, inFlight: limit.value, elapsed, waited });
  }
}

/** A limit after this number of good answers, 40 ms each. */
function afterAnswers(most: number, times: number): AdaptiveLimit {
  const limit = new AdaptiveLimit(most);
  answer(limit, times);
  return limit;
}

function fall(limit: AdaptiveLimit, times: number): void {
  for (let time = 0; time < times; time += 1) limit.overloaded(limit.generation);
}

describe('AdaptiveLimit', () => {
  it('begins with four, or with the maximum if that is less', () => {
    expect([1, 3, 4, 5, 16, 64].map((most) => new AdaptiveLimit(most).value)).toEqual([1, 3, 4, 4, 4, 4]);
  });

  it('doubles with each round of answers at first', () => {
    const limit = new AdaptiveLimit(64);
    const rounds = Array.from({ length: 5 }, () => {
      answer(limit, limit.value);
      return limit.value;
    });
    expect(rounds).toEqual([8, 16, 32, 64, 64]);
  });

  it('counts a whole window of failures as one sign of overload', () => {
    const limit = afterAnswers(16, 12);
    const { generation } = limit;
    for (let request = 0; request < 16; request += 1) limit.overloaded(generation);
    expect(limit.value).toBe(8);
    // A request that was sent after that halves it again.
    fall(limit, 1);
    limit.overloaded(generation);
    expect(limit.value).toBe(4);
  });

  it('grows by one for as many good answers as the limit after it was halved, but for ten at least', () => {
    const limit = afterAnswers(32, 28);
    fall(limit, 1);
    answer(limit, 15);
    expect(limit.value).toBe(16);
    answer(limit, 1);
    expect(limit.value).toBe(17);
    fall(limit, 5);
    expect(limit.value).toBe(1);
    answer(limit, 9);
    expect(limit.value).toBe(1);
    answer(limit, 1);
    expect(limit.value).toBe(2);
  });

  it('is not affected by answers to requests that were sent before it was last halved', () => {
    const limit = afterAnswers(16, 12);
    const { generation } = limit;
    fall(limit, 1);
    for (let request = 0; request < 100; request += 1) {
      limit.good({ generation, inFlight: 8, elapsed: 9_000, waited: 9_000 });
      limit.good({ generation, inFlight: 8, elapsed: 40, waited: 40 });
    }
    expect(limit.value).toBe(8);
  });

  it('does not grow beyond twice the requests in flight', () => {
    const limit = new AdaptiveLimit(64);
    const { generation } = limit;
    for (let request = 0; request < 1_000; request += 1) {
      limit.good({ generation, inFlight: 5, elapsed: 40, waited: 40 });
    }
    expect(limit.value).toBe(10);
  });
});

describe('latency', () => {
  it('beyond twice the best stops the growth with the first answer', () => {
    const limit = afterAnswers(64, 4 + 10);
    answer(limit, 5, 90);
    expect(limit.value).toBe(18);
    // A latency up to that does not.
    answer(limit, 1, 85);
    expect(limit.value).toBe(19);
  });

  it('that is too long for most of a round lowers the limit in proportion, at most to a quarter', () => {
    const fallen = [86, 120, 160, 40_000].map((elapsed) => {
      const limit = afterAnswers(64, 4 + 10 + 18 + 36);
      expect(limit.value).toBe(64);
      answer(limit, 63, elapsed);
      expect(limit.value).toBe(64);
      answer(limit, 1, elapsed);
      return limit.value;
    });
    expect(fallen).toEqual([29, 21, 16, 16]);
  });

  it('never lowers the limit below the start', () => {
    const limit = afterAnswers(16, 12);
    answer(limit, 18, 40);
    for (let round = 0; round < 10; round += 1) {
      answer(limit, 16, 1_000 * 3 ** round);
      expect(limit.value).toBeGreaterThanOrEqual(4);
    }
  });

  it('of a few late answers does not lower the limit', () => {
    const limit = afterAnswers(16, 12);
    for (let round = 0; round < 20; round += 1) {
      answer(limit, 7, 5_000);
      answer(limit, 9, 40);
    }
    expect(limit.value).toBe(16);
  });

  it('of a few milliseconds is in time, however short the best one was', () => {
    const limit = new AdaptiveLimit(16);
    answer(limit, 4, 0.2);
    answer(limit, 100, 5);
    expect(limit.value).toBe(16);
  });

  it('does not lower the limit while our own thread was busy', () => {
    const limit = new AdaptiveLimit(16);
    answer(limit, 4, 40);
    answer(limit, 100, 4_000, 30);
    expect(limit.value).toBe(16);
  });

  it('that stays with four in flight is the new measure, because fewer requests would not shorten it', () => {
    // Four empty pages, and then some with rows. The limit falls to four, and then grows again.
    const limit = new AdaptiveLimit(16);
    answer(limit, 4, 10);
    answer(limit, 10 + 10, 100);
    expect(limit.value).toBe(4);
    answer(limit, 12, 100);
    expect(limit.value).toBe(16);
  });

  it('that stays is also the new measure after an overload, and the limit continues to grow step by step', () => {
    const limit = new AdaptiveLimit(16);
    fall(limit, 1);
    answer(limit, 10, 40);
    expect(limit.value).toBe(3);
    answer(limit, 10, 900);
    expect(limit.value).toBe(3);
    answer(limit, 10, 900);
    expect(limit.value).toBe(4);
  });
});

const most = fc.integer({ min: 1, max: 64 });
const milliseconds = fc.double({ min: 0, max: 30_000, noNaN: true });
const event = fc.oneof(
  fc.record({ kind: fc.constant('overloaded' as const), before: fc.integer({ min: 0, max: 2 }) }),
  fc.record({
    kind: fc.constant('good' as const),
    before: fc.integer({ min: 0, max: 2 }),
    used: fc.double({ min: 0, max: 1, noNaN: true }),
    elapsed: milliseconds,
    idle: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);
type LimitEvent = typeof event extends fc.Arbitrary<infer T> ? T : never;
const events = fc.array(event, { maxLength: 300 });

function happen(limit: AdaptiveLimit, happened: LimitEvent): void {
  const generation = limit.generation - happened.before;
  if (happened.kind === 'overloaded') limit.overloaded(generation);
  else {
    const { used, elapsed, idle } = happened;
    const inFlight = Math.max(1, Math.round(used * limit.value));
    limit.good({ generation, inFlight, elapsed, waited: elapsed * idle });
  }
}

describe('with any events', () => {
  it('the limit is a whole number from one to the maximum', () =>
    forAll([most, events], (highest, all) => {
      const limit = new AdaptiveLimit(highest);
      for (const happened of all) {
        happen(limit, happened);
        expect(Number.isInteger(limit.value)).toBe(true);
        expect(limit.value).toBeGreaterThanOrEqual(1);
        expect(limit.value).toBeLessThanOrEqual(highest);
      }
    }));

  it('an overload halves the limit at once, and an answer in time never lowers it', () =>
    forAll([most, events], (highest, all) => {
      const limit = new AdaptiveLimit(highest);
      for (const happened of all) happen(limit, happened);
      const before = limit.value;
      // An answer that took no time is never late.
      answer(limit, 1, 0);
      expect(limit.value).toBeGreaterThanOrEqual(before);
      const { value } = limit;
      fall(limit, 1);
      expect(limit.value).toBe(Math.max(1, Math.floor(value / 2)));
    }));

  it('a slower answer never leaves a higher limit than a quicker one, nor a failure a higher one than an answer', () =>
    forAll([most, events, milliseconds, milliseconds], (highest, all, one, other) => {
      const limitAfterAll = () => {
        const limit = new AdaptiveLimit(highest);
        for (const happened of all) happen(limit, happened);
        return limit;
      };
      const [quick, slow, failed] = [limitAfterAll(), limitAfterAll(), limitAfterAll()];
      answer(quick, 1, Math.min(one, other));
      answer(slow, 1, Math.max(one, other));
      fall(failed, 1);
      expect(slow.value).toBeLessThanOrEqual(quick.value);
      expect(failed.value).toBeLessThanOrEqual(slow.value);
    }));

  it('the limit reaches its maximum after a bounded number of good answers that take the same time', () =>
    forAll([most, events, milliseconds], (highest, all, elapsed) => {
      const limit = new AdaptiveLimit(highest);
      for (const happened of all) happen(limit, happened);
      // From the maximum down to the start by latency, a round for the new measure, and a step for each limit on the way.
      const falls = 2 * highest + 40;
      const steps = Array.from({ length: highest }, (_, at) => Math.max(10, at + 1));
      answer(
        limit,
        steps.reduce((sum, step) => sum + step, falls),
        elapsed,
      );
      expect(limit.value).toBe(highest);
    }));
});
