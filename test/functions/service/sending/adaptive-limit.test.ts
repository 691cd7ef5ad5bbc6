import { AdaptiveLimit } from '#service/sending/adaptive-limit.ts';
import { fc, forAll } from '#support/assertions/index.ts';
import { runs } from '#support/fuzz/mutations.ts';
import { seededRandom } from '#sandbox/payments/day/random.ts';

/** Good answers to requests that were sent just now, while the limit was fully used. Milliseconds. */
function answer(limit: AdaptiveLimit, times: number, elapsed = 40, waited = elapsed): void {
  for (let time = 0; time < times; time += 1) {
    limit.good({ generation: limit.generation, inFlight: limit.value, elapsed, waited });
  }
}

function fall(limit: AdaptiveLimit): void {
  limit.overloaded(limit.generation);
}

/** Good answers, 40 ms each unless said, or one sign of overload. */
type Step = [times: number, elapsed?: number, waited?: number] | 'overload';

/** The limit after each step. */
function limitsAfter(most: number, steps: readonly Step[]): number[] {
  const limit = new AdaptiveLimit(most);
  return steps.map((step) => {
    if (step === 'overload') fall(limit);
    else answer(limit, ...step);
    return limit.value;
  });
}

const times = (count: number, ...steps: Step[]): Step[] => Array.from({ length: count }, () => steps).flat();

describe('AdaptiveLimit', () => {
  it('begins with four, or with the maximum if that is less', () => {
    expect([1, 3, 4, 5, 16, 64].map((most) => new AdaptiveLimit(most).value)).toEqual([1, 3, 4, 4, 4, 4]);
  });

  it.each<[string, number, Step[], number[]]>([
    ['doubles with each round of answers at first', 64, [[4], [8], [16], [32], [64]], [8, 16, 32, 64, 64]],
    [
      'grows by one for as many good answers as the limit after it was halved, but for ten at least',
      32,
      [[28], 'overload', [15], [1], ...times(5, 'overload'), [9], [1]],
      [32, 16, 16, 17, 8, 4, 2, 1, 1, 1, 2],
    ],
    ['stops growing at the first answer beyond twice the best', 64, [[14], [5, 90], [1, 85]], [18, 18, 19]],
    ['falls in proportion when most of a round is late', 64, [[68], [63, 86], [1, 86]], [64, 64, 29]],
    ['falls further when a round takes longer', 64, [[68], [63, 120], [1, 120]], [64, 64, 21]],
    ['falls to a quarter at most', 64, [[68], [63, 40_000], [1, 40_000]], [64, 64, 16]],
    ['never falls below the start for latency', 16, [[30], [16, 1e3], [16, 3e3], [16, 9e3]], [16, 4, 10, 4]],
    ['stands a few late answers', 16, [[12], ...times(20, [7, 5_000], [9])], Array<number>(41).fill(16)],
    [
      'stands a few milliseconds, however short the best was',
      16,
      [
        [4, 0.2],
        [100, 5],
      ],
      [8, 16],
    ],
    ['stands what our own busy thread takes', 16, [[4], [100, 4_000, 30]], [8, 16]],
    // Four empty pages, and then some with rows: fewer requests would not shorten the latency.
    [
      'takes a latency that stays with four in flight as the new measure',
      16,
      [
        [4, 10],
        [20, 100],
        [12, 100],
      ],
      [8, 4, 16],
    ],
    [
      'does so after an overload, and grows step by step',
      16,
      ['overload', [10], [10, 900], [10, 900]],
      [2, 3, 3, 4],
    ],
  ])('%s', (_what, most, steps, limits) => {
    expect(limitsAfter(most, steps)).toEqual(limits);
  });

  it('counts a whole window of failures as one sign of overload', () => {
    const limit = new AdaptiveLimit(16);
    answer(limit, 12);
    const { generation } = limit;
    for (let request = 0; request < 16; request += 1) limit.overloaded(generation);
    expect(limit.value).toBe(8);
    // A request that was sent after that halves it again.
    fall(limit);
    limit.overloaded(generation);
    expect(limit.value).toBe(4);
  });

  it('is not affected by answers to requests that were sent before it was last halved', () => {
    const limit = new AdaptiveLimit(16);
    answer(limit, 12);
    const { generation } = limit;
    fall(limit);
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

function afterAll(highest: number, all: readonly LimitEvent[]): AdaptiveLimit {
  const limit = new AdaptiveLimit(highest);
  for (const happened of all) happen(limit, happened);
  return limit;
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
      const limit = afterAll(highest, all);
      const before = limit.value;
      // An answer that took no time is never late.
      answer(limit, 1, 0);
      expect(limit.value).toBeGreaterThanOrEqual(before);
      const { value } = limit;
      fall(limit);
      expect(limit.value).toBe(Math.max(1, Math.floor(value / 2)));
    }));

  it('a slower answer never leaves a higher limit than a quicker one, nor a failure a higher one than an answer', () =>
    forAll([most, events, milliseconds, milliseconds], (highest, all, one, other) => {
      const [quick, slow, failed] = [afterAll(highest, all), afterAll(highest, all), afterAll(highest, all)];
      answer(quick, 1, Math.min(one, other));
      answer(slow, 1, Math.max(one, other));
      fall(failed);
      expect(slow.value).toBeLessThanOrEqual(quick.value);
      expect(failed.value).toBeLessThanOrEqual(slow.value);
    }));

  it('the limit reaches its maximum after a bounded number of good answers that take the same time', () =>
    forAll([most, events, milliseconds], (highest, all, elapsed) => {
      const limit = afterAll(highest, all);
      // From the maximum down to the start by latency, a round for the new measure, and a step for each limit on the way.
      const falls = 2 * highest + 40;
      const steps = Array.from({ length: highest }, (_, at) => Math.max(10, at + 1));
      for (const step of [falls, ...steps]) answer(limit, step, elapsed);
      expect(limit.value).toBe(highest);
    }));
});

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

const mosts = fc.constantFrom(16, 64);

/** Numbers evenly spread from 0 to 1, the same for the same seed. */
function randomOf(from: number): () => number {
  const random = seededRandom(`${from}`);
  return () => random.below(2 ** 30) / 2 ** 30;
}

const services = fc
  .tuple(fc.integer({ min: 10, max: 2_000 }), fc.integer())
  .map(([work, from]) => ({ work, random: randomOf(from) }));

function limits(answers: readonly Answered[]): { mean: number; largest: number } {
  const values = answers.map(({ limit }) => limit);
  const sum = values.reduce((all, value) => all + value, 0);
  return { mean: sum / values.length, largest: Math.max(...values) };
}

function refusedShare(answers: readonly Answered[]): number {
  return answers.filter(({ refused }) => refused).length / answers.length;
}

describe('with a service that refuses requests beyond its capacity', () => {
  it('the limit stays at the capacity; at most one request in ten is refused, and fewer with a larger capacity', () =>
    forAll([fc.integer({ min: 1, max: 16 }), mosts, services], runs(30), (capacity, most, service) => {
      const answers = simulate(
        { ...service, capacity: () => capacity, beyond: 'are refused' },
        most,
        ANSWERS,
      );
      const settled = answers.slice(BEGINNING);
      const { mean, largest } = limits(settled);
      expect(largest).toBeLessThanOrEqual(capacity + 1);
      expect(mean).toBeGreaterThanOrEqual(0.6 * capacity);
      expect(refusedShare(settled)).toBeLessThanOrEqual(Math.min(1 / 10, 1 / (6 * capacity)));
      // At the beginning the limit reaches at most twice the capacity, or it starts with four.
      expect(refusedShare(answers.slice(0, BEGINNING))).toBeLessThanOrEqual(0.12);
      expect(limits(answers).largest).toBeLessThanOrEqual(Math.max(4, 2 * capacity));
    }));

  it('the limit recovers when the capacity comes back', () =>
    forAll([fc.integer({ min: 1, max: 3 }), services], runs(30), (low, service) => {
      const capacity = (answers: number) => (answers >= 500 && answers < 1_000 ? low : 16);
      const answers = simulate({ ...service, capacity, beyond: 'are refused' }, 16, ANSWERS);
      expect(limits(answers.slice(700, 1_000)).largest).toBeLessThanOrEqual(low + 1);
      expect(refusedShare(answers.slice(500))).toBeLessThanOrEqual(1 / 10);
      expect(limits(answers.slice(-300)).mean).toBeGreaterThanOrEqual(15);
    }));
});

describe('with a service where requests wait', () => {
  it('the limit is at least the capacity, and on average at most three times that', () =>
    forAll([fc.integer({ min: 4, max: 16 }), mosts, services], runs(30), (capacity, most, service) => {
      const answers = simulate({ ...service, capacity: () => capacity, beyond: 'wait' }, most, 3 * ANSWERS);
      const { mean, largest } = limits(answers.slice(BEGINNING));
      expect(largest).toBeLessThanOrEqual(4 * capacity + 2);
      expect(mean).toBeLessThanOrEqual(3 * capacity);
      expect(mean).toBeGreaterThanOrEqual(capacity);
    }));

  it('the limit falls when the capacity does, and recovers when it comes back', () =>
    forAll([services], runs(30), (service) => {
      const capacity = (answers: number) => (answers >= 500 && answers < 1_000 ? 4 : 32);
      const answers = simulate({ ...service, capacity, beyond: 'wait' }, 32, 3_000);
      expect(limits(answers.slice(400, 500)).mean).toBeGreaterThanOrEqual(24);
      expect(limits(answers.slice(700, 1_000)).mean).toBeLessThanOrEqual(12);
      expect(limits(answers.slice(-500)).mean).toBeGreaterThanOrEqual(24);
    }));
});
