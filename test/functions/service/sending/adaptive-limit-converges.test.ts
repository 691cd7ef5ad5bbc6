import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '#support/fuzz/mutations.ts';
import { simulate } from '#support/payments/simulated-service.ts';
import type { Answered } from '#support/payments/simulated-service.ts';

/** The answers until the first growth and its consequences are over. */
const BEGINNING = 300;
const ANSWERS = 2_000;

const seed = fc.integer();
const work = fc.integer({ min: 10, max: 2_000 });
const mosts = fc.constantFrom(16, 64);

/** Numbers evenly spread from 0 to 1, the same for the same seed. */
function randomOf(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

function limits(answers: readonly Answered[]): { mean: number; largest: number } {
  const values = answers.map(({ limit }) => limit);
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    largest: Math.max(...values),
  };
}

function refusedShare(answers: readonly Answered[]): number {
  return answers.filter(({ refused }) => refused).length / answers.length;
}

describe('with a service that refuses requests beyond its capacity', () => {
  it('the limit stays at the capacity; at most one request in ten is refused, and fewer with a larger capacity', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 16 }),
        mosts,
        work,
        seed,
        (capacity, most, milliseconds, from) => {
          const service = { capacity: () => capacity, work: milliseconds, random: randomOf(from) };
          const answers = simulate({ ...service, beyond: 'are refused' }, most, ANSWERS);
          const settled = answers.slice(BEGINNING);
          const { mean, largest } = limits(settled);
          expect(largest).toBeLessThanOrEqual(capacity + 1);
          expect(mean).toBeGreaterThanOrEqual(0.6 * capacity);
          expect(refusedShare(settled)).toBeLessThanOrEqual(Math.min(1 / 10, 1 / (6 * capacity)));
          // At the beginning the limit reaches at most twice the capacity, or it starts with four.
          expect(refusedShare(answers.slice(0, BEGINNING))).toBeLessThanOrEqual(0.12);
          expect(limits(answers).largest).toBeLessThanOrEqual(Math.max(4, 2 * capacity));
        },
      ),
      runs(30),
    );
  });

  it('the limit recovers when the capacity comes back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), work, seed, (low, milliseconds, from) => {
        const capacity = (answers: number) => (answers >= 500 && answers < 1_000 ? low : 16);
        const service = { capacity, work: milliseconds, random: randomOf(from) };
        const answers = simulate({ ...service, beyond: 'are refused' }, 16, ANSWERS);
        expect(limits(answers.slice(700, 1_000)).largest).toBeLessThanOrEqual(low + 1);
        expect(refusedShare(answers.slice(500))).toBeLessThanOrEqual(1 / 10);
        expect(limits(answers.slice(-300)).mean).toBeGreaterThanOrEqual(15);
      }),
      runs(30),
    );
  });
});

describe('with a service where requests wait', () => {
  it('the limit is at least the capacity, and on average at most three times that', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 16 }),
        mosts,
        work,
        seed,
        (capacity, most, milliseconds, from) => {
          const service = { capacity: () => capacity, work: milliseconds, random: randomOf(from) };
          const answers = simulate({ ...service, beyond: 'wait' }, most, 3 * ANSWERS);
          const { mean, largest } = limits(answers.slice(BEGINNING));
          expect(largest).toBeLessThanOrEqual(4 * capacity + 2);
          expect(mean).toBeLessThanOrEqual(3 * capacity);
          expect(mean).toBeGreaterThanOrEqual(capacity);
        },
      ),
      runs(30),
    );
  });

  it('the limit falls when the capacity does, and recovers when it comes back', () => {
    fc.assert(
      fc.property(work, seed, (milliseconds, from) => {
        const capacity = (answers: number) => (answers >= 500 && answers < 1_000 ? 4 : 32);
        const service = { capacity, work: milliseconds, random: randomOf(from) };
        const answers = simulate({ ...service, beyond: 'wait' }, 32, 3_000);
        expect(limits(answers.slice(400, 500)).mean).toBeGreaterThanOrEqual(24);
        expect(limits(answers.slice(700, 1_000)).mean).toBeLessThanOrEqual(12);
        expect(limits(answers.slice(-500)).mean).toBeGreaterThanOrEqual(24);
      }),
      runs(30),
    );
  });

  it('the limit is at its maximum if the service can handle that', () => {
    fc.assert(
      fc.property(mosts, work, seed, (most, milliseconds, from) => {
        const service = { capacity: () => 1_000, work: milliseconds, random: randomOf(from) };
        const answers = simulate({ ...service, beyond: 'wait' }, most, ANSWERS);
        // Two round trips for a maximum of 16, and four for 64.
        expect(limits(answers.slice(0, 2 * most)).largest).toBe(most);
        expect(limits(answers.slice(BEGINNING)).mean).toBeGreaterThanOrEqual(0.95 * most);
      }),
      runs(30),
    );
  });
});
