import { describe, expect, it } from 'vitest';
import { runs } from '#support/fuzz/mutations.ts';
import { AdaptiveLimit } from '#service/sending/adaptive-limit.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

/** A service that works on so many requests at once, and what it does with more than that. */
interface SimulatedService {
  /** How many it works on at once, after so many of its answers. */
  capacity: (answers: number) => number;
  beyond: 'wait' | 'are refused';
  /** How long it works on a request: between 0.7 and 1.3 times this. Milliseconds. */
  work: number;
  /** From 0 to 1. */
  random: () => number;
}

/** What was seen at each answer, refusals among them. */
interface Answered {
  refused: boolean;
  inFlight: number;
  /** The limit after it. */
  limit: number;
}

interface Sent {
  generation: number;
  at: number;
}

/** A refusal takes no work. Milliseconds. */
const REFUSAL = 2;

/**
 * Sends requests as fast as a limit lets them, on a clock of its own, until so many are answered. Time goes from answer
 * to answer; nothing waits and nothing runs beside it.
 */
function simulate(service: SimulatedService, most: number, answers: number): Answered[] {
  const limit = new AdaptiveLimit(most);
  const seen: Answered[] = [];
  const waiting: Sent[] = [];
  const underWay: { sent: Sent; ends: number; refused: boolean }[] = [];
  let time = 0;

  const working = () => underWay.filter(({ refused }) => !refused).length;
  const capacity = () => service.capacity(seen.length);
  const send = () => {
    const sent = { generation: limit.generation, at: time };
    if (service.beyond === 'wait' || working() < capacity()) waiting.push(sent);
    else underWay.push({ sent, ends: time + REFUSAL, refused: true });
  };
  const work = () => {
    while (working() < capacity()) {
      const sent = waiting.shift();
      if (sent === undefined) return;
      underWay.push({ sent, ends: time + service.work * (0.7 + 0.6 * service.random()), refused: false });
    }
  };

  while (seen.length < answers) {
    while (waiting.length + underWay.length < limit.value) {
      send();
      work();
    }
    work();
    underWay.sort((a, b) => b.ends - a.ends);
    const inFlight = waiting.length + underWay.length;
    const ended = underWay.pop();
    if (ended === undefined) throw new Error('a service without any capacity answers nothing');
    const { sent, ends, refused } = ended;
    time = ends;
    const elapsed = time - sent.at;
    if (refused) limit.overloaded(sent.generation);
    else limit.good({ generation: sent.generation, inFlight, elapsed, waited: elapsed });
    seen.push({ refused, inFlight, limit: limit.value });
  }
  return seen;
}

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
  it('the limit stays at the capacity; at most one request in ten is refused, and fewer with a larger capacity', () =>
    forAll(
      [fc.integer({ min: 1, max: 16 }), mosts, work, seed],
      runs(30),
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
    ));

  it('the limit recovers when the capacity comes back', () =>
    forAll([fc.integer({ min: 1, max: 3 }), work, seed], runs(30), (low, milliseconds, from) => {
      const capacity = (answers: number) => (answers >= 500 && answers < 1_000 ? low : 16);
      const service = { capacity, work: milliseconds, random: randomOf(from) };
      const answers = simulate({ ...service, beyond: 'are refused' }, 16, ANSWERS);
      expect(limits(answers.slice(700, 1_000)).largest).toBeLessThanOrEqual(low + 1);
      expect(refusedShare(answers.slice(500))).toBeLessThanOrEqual(1 / 10);
      expect(limits(answers.slice(-300)).mean).toBeGreaterThanOrEqual(15);
    }));
});

describe('with a service where requests wait', () => {
  it('the limit is at least the capacity, and on average at most three times that', () =>
    forAll(
      [fc.integer({ min: 4, max: 16 }), mosts, work, seed],
      runs(30),
      (capacity, most, milliseconds, from) => {
        const service = { capacity: () => capacity, work: milliseconds, random: randomOf(from) };
        const answers = simulate({ ...service, beyond: 'wait' }, most, 3 * ANSWERS);
        const { mean, largest } = limits(answers.slice(BEGINNING));
        expect(largest).toBeLessThanOrEqual(4 * capacity + 2);
        expect(mean).toBeLessThanOrEqual(3 * capacity);
        expect(mean).toBeGreaterThanOrEqual(capacity);
      },
    ));

  it('the limit falls when the capacity does, and recovers when it comes back', () =>
    forAll([work, seed], runs(30), (milliseconds, from) => {
      const capacity = (answers: number) => (answers >= 500 && answers < 1_000 ? 4 : 32);
      const service = { capacity, work: milliseconds, random: randomOf(from) };
      const answers = simulate({ ...service, beyond: 'wait' }, 32, 3_000);
      expect(limits(answers.slice(400, 500)).mean).toBeGreaterThanOrEqual(24);
      expect(limits(answers.slice(700, 1_000)).mean).toBeLessThanOrEqual(12);
      expect(limits(answers.slice(-500)).mean).toBeGreaterThanOrEqual(24);
    }));

  it('the limit is at its maximum if the service can handle that', () =>
    forAll([mosts, work, seed], runs(30), (most, milliseconds, from) => {
      const service = { capacity: () => 1_000, work: milliseconds, random: randomOf(from) };
      const answers = simulate({ ...service, beyond: 'wait' }, most, ANSWERS);
      // Two round trips for a maximum of 16, and four for 64.
      expect(limits(answers.slice(0, 2 * most)).largest).toBe(most);
      expect(limits(answers.slice(BEGINNING)).mean).toBeGreaterThanOrEqual(0.95 * most);
    }));
});
