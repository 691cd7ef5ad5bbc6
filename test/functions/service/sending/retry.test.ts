import {
  AnswerTooLargeError,
  ConnectionError,
  ContractError,
  DeadlineError,
  ForbiddenError,
  InvalidRequestError,
  LoginRefusedError,
  MalformedAnswerError,
  NotFoundError,
  RateLimitedError,
  RedirectError,
  RefusedError,
  RequestTimeoutError,
  ServerError,
  type PaymentsError,
} from '#service/errors.ts';
import { RETRY, readRetryAfter, retryDelay } from '#service/sending/retry.ts';
import { Attempt, Attempts } from '#service/sending/transport.ts';
import { fc, forAll, forAllAsync } from '#support/assertions/index.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Slots } from '#service/sending/sender.ts';
import { AnswerBody, BodyMemory } from '#service/sending/answer-body.ts';
import { runs } from '#support/fuzz/mutations.ts';

const EXCHANGE = { operation: 'invoice list' };
const serverError = new ServerError({ ...EXCHANGE, status: 503 }, 'failed');

function limited(retryAfter?: number): RateLimitedError {
  const error = new RateLimitedError({ ...EXCHANGE, status: 429 }, 'fewer');
  error.retryAfter = retryAfter;
  return error;
}

describe('retryDelay', () => {
  it.each<PaymentsError>([
    serverError,
    limited(),
    new RequestTimeoutError(EXCHANGE, 'late'),
    new MalformedAnswerError(EXCHANGE, 'cut'),
    ...['ECONNRESET', 'ECONNREFUSED', 'EAI_AGAIN'].map((code) => new ConnectionError(EXCHANGE, code)),
  ])('retries after %s', (error) => {
    expect(retryDelay(error, 1, 0, 0.5)).toBe(125);
  });

  it.each<PaymentsError>([
    ...[ForbiddenError, InvalidRequestError, LoginRefusedError, RefusedError].map(
      (of) => new of(EXCHANGE, 'no'),
    ),
    ...[AnswerTooLargeError, RedirectError, DeadlineError].map((of) => new of(EXCHANGE, 'no')),
    new NotFoundError(EXCHANGE, 'no', true),
    new ContractError(EXCHANGE, 'status', 'no'),
    new ConnectionError(EXCHANGE, 'CERT_HAS_EXPIRED'),
    new ConnectionError(EXCHANGE, 'DEPTH_ZERO_SELF_SIGNED_CERT'),
  ])('does not retry after %s', (error) => {
    expect(retryDelay(error, 1, 0, 0.5)).toBeUndefined();
  });

  it('tries a service that does not answer with JSON three times in all', () => {
    const error = new MalformedAnswerError(EXCHANGE, 'not JSON');
    expect([1, 2, 3].filter((attempt) => retryDelay(error, attempt, 0, 1) !== undefined)).toEqual([1, 2]);
  });

  it('waits longer each time, up to the longest wait', () => {
    expect([1, 2, 3, 4, 7, 8, 60].map((attempt) => retryDelay(serverError, attempt, 0, 1))).toEqual([
      250, 500, 1_000, 2_000, 16_000, 20_000, 20_000,
    ]);
  });

  it.each([
    ['no time, at random', serverError, 8, 0, 0, 0],
    ['a random part of the wait', serverError, 8, 0, 0.25, 5_000],
    ['as long as the budget allows', serverError, 1, RETRY.budget - 250, 1, 250],
    ['not beyond the budget', serverError, 1, RETRY.budget - 249, 1, undefined],
    ['as long as the service asks', limited(7_000), 1, 0, 0, 7_000],
    ['a little longer, so that not all requests return at once', limited(7_000), 1, 0, 1, 7_250],
    ['no shorter if the service asks for no wait', limited(0), 8, 0, 1, 20_000],
  ])('waits %s', (_what, error, attempt, spent, random, delay) => {
    expect(retryDelay(error, attempt, spent, random)).toBe(delay);
  });

  it('is never negative and never exceeds the budget', () => {
    const given = fc.tuple(
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 0, max: 200_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: undefined }),
    );
    forAll([given], ([attempt, spent, random, retryAfter]) => {
      const delay = retryDelay(limited(retryAfter), attempt, spent, random);
      if (delay === undefined) return;
      expect(delay).toBeGreaterThanOrEqual(retryAfter ?? 0);
      expect(spent + delay).toBeLessThanOrEqual(RETRY.budget);
    });
  });
});

describe('readRetryAfter', () => {
  const now = Date.parse('2026-11-20T10:00:00Z');

  it.each([
    ['0', 0],
    ['7', 7_000],
    [' 120 ', 120_000],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000],
    ['Friday, 20-Nov-26 10:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 09:59:00 GMT', 0],
  ])('reads %j as %d milliseconds', (header, milliseconds) => {
    expect(readRetryAfter(header, now)).toBe(milliseconds);
  });

  it.each([
    ['no number', [null, '', 'soon', '-5', '1.5', '7s', '1e3', '0x10', '9999999999']],
    ['no date', ['12/11', 'tomorrow 7', 'Fri, 20']],
  ])('reads nothing from what is %s: %j', (_what, headers) => {
    for (const header of headers) expect(readRetryAfter(header, now), String(header)).toBeUndefined();
  });
});

it('attempts under way have each their own place, use no more places than needed, and only they are given up', () => {
  // A number ends one of the attempts under way; null begins another one.
  const steps = fc.array(fc.option(fc.nat({ max: 20 }), { freq: 2 }), { maxLength: 60 });
  forAll([steps], (list) => {
    const attempts = new Attempts();
    const ended: Attempt[] = [];
    const underWay: { attempt: Attempt; place: number }[] = [];
    let most = 0;
    for (const step of list) {
      if (step === null) {
        const attempt = new Attempt();
        underWay.push({ attempt, place: attempts.add(attempt) });
      } else {
        const [one] = underWay.splice(step % Math.max(1, underWay.length), 1);
        if (one === undefined) continue;
        attempts.remove(one.place);
        ended.push(one.attempt);
      }
      most = Math.max(most, underWay.length);
      const places = underWay.map(({ place }) => place);
      expect(new Set(places).size).toBe(places.length);
      expect(Math.max(-1, ...places)).toBeLessThan(most);
    }
    attempts.giveUp();
    expect(underWay.every(({ attempt }) => attempt.isOver)).toBe(true);
    expect(ended.some(({ isOver }) => isOver)).toBe(false);
  });
});

it('tasks free their slots when they fail before they wait for anything', async () => {
  const slots = new Slots(1);
  const failing = () => {
    throw new Error('at once');
  };
  const settled = await Promise.allSettled([slots.run(failing), slots.run(failing)]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(slots.active).toBe(0);
  expect(await slots.run(() => Promise.resolve('runs'))).toBe('runs');
});

describe('any tasks and any numbers of slots', () => {
  const limit = fc.integer({ min: 1, max: 6 });
  /** A task takes some turns, then sets the limit or not, as requests do, and fails or not. */
  const task = fc.record({ turns: fc.nat({ max: 4 }), fails: fc.boolean(), sets: fc.option(limit) });
  const step = fc.oneof(
    { weight: 4, arbitrary: task },
    { weight: 1, arbitrary: fc.record({ limit }) },
    { weight: 2, arbitrary: fc.record({ pause: fc.integer({ min: 1, max: 3 }) }) },
  );

  it('lose no slot: all tasks run, in order, and never more than the greatest number of slots', async () => {
    const steps = fc.array(step, { maxLength: 30 });
    await forAllAsync([limit, steps], async (first, list) => {
      const slots = new Slots(first);
      let greatest = first;
      let running = 0;
      const begun: number[] = [];
      const results: Promise<string>[] = [];
      const turns = async (count: number) => {
        for (let turn = 0; turn < count; turn += 1) {
          await nextTurn();
          // No task has begun before an earlier one. Within one turn, a new task may begin before one that waited.
          expect(Math.max(-1, ...begun)).toBe(begun.length - 1);
        }
      };
      const set = (concurrency: number) => {
        greatest = Math.max(greatest, concurrency);
        slots.concurrency = concurrency;
      };
      for (const one of list) {
        if ('pause' in one) await turns(one.pause);
        else if ('limit' in one) set(one.limit);
        else {
          const number = results.length;
          const result = slots.run(async () => {
            begun.push(number);
            running += 1;
            expect(running).toBeLessThanOrEqual(greatest);
            expect(slots.active).toBeGreaterThanOrEqual(running);
            await turns(one.turns);
            if (one.sets !== null) set(one.sets);
            running -= 1;
            if (one.fails) throw new Error('failed');
            return 'done';
          });
          result.catch(() => undefined);
          results.push(result);
        }
      }
      const settled = await Promise.allSettled(results);
      const wanted = list.flatMap((one) => ('fails' in one ? [one.fails ? 'rejected' : 'fulfilled'] : []));
      expect(settled.map(({ status }) => status)).toEqual(wanted);
      expect(begun).toHaveLength(results.length);
      expect(slots.active).toBe(0);
    });
  });
});

const SMALLEST = 4 * 1024;
const MEBIBYTE = 1024 * 1024;

it('memory of bodies is used again when it is large enough and small enough, until the client is closed', () => {
  const memory = new BodyMemory();
  const small = memory.take(10);
  expect(small).toHaveLength(SMALLEST);
  memory.giveBack(small);
  expect(memory.take(SMALLEST)).toBe(small);
  memory.giveBack(small);
  const larger = memory.take(SMALLEST + 1);
  expect(larger).not.toBe(small);
  expect(larger).toHaveLength(2 * SMALLEST);
  const [kept, dropped] = [memory.take(MEBIBYTE), memory.take(MEBIBYTE + 1)];
  memory.giveBack(kept);
  memory.giveBack(dropped);
  expect(dropped).toHaveLength(0);
  expect(memory.take(0)).toBe(kept);
  memory.giveBack(kept);
  memory.close();
  expect(kept).toHaveLength(0);
  expect(memory.take(0)).not.toBe(kept);
});

describe('the body of an answer', () => {
  it('is all of its chunks and nothing else, in memory that other answers had', () => {
    const length = fc.oneof(fc.nat({ max: 8 }), fc.nat({ max: 100_000 }));
    const answer = fc.record({
      stated: fc.nat({ max: 200_000 }),
      lengths: fc.array(length, { maxLength: 5 }),
    });
    forAll(
      [fc.array(answer, { minLength: 1, maxLength: 6 }), fc.nat({ max: 3 })],
      runs(200),
      (answers, open) => {
        const memory = new BodyMemory();
        const bodies: { body: AnswerBody; expected: Buffer }[] = [];
        for (const [index, { stated, lengths }] of answers.entries()) {
          const chunks = lengths.map((bytes, at) => Buffer.alloc(bytes, `${index}${at}`));
          const body = new AnswerBody(stated, memory);
          for (const chunk of chunks) body.add(Buffer.from(chunk));
          bodies.push({ body, expected: Buffer.concat(chunks) });
          expect(body).toHaveLength(Buffer.concat(chunks).length);
          if (bodies.length <= open) continue;
          for (const each of bodies) expect(each.body.bytes().equals(each.expected)).toBe(true);
          bodies.shift()?.body.giveBack();
        }
        for (const { body, expected } of bodies) expect(body.bytes().equals(expected)).toBe(true);
      },
    );
  });

  it('grows with its chunks, and is copied as often as its size doubles', () => {
    const memory = new BodyMemory();
    const body = new AnswerBody(0, memory);
    const buffers = new Set<ArrayBufferLike>();
    for (let index = 0; index < 64; index += 1) {
      body.add(Buffer.alloc(8 * 1024, index));
      buffers.add(body.bytes().buffer);
    }
    expect(body).toHaveLength(64 * 8 * 1024);
    expect(buffers.size).toBe(4);
  });

  it('gives its memory back once: two later answers never share it', () => {
    const memory = new BodyMemory();
    const body = new AnswerBody(0, memory);
    body.giveBack();
    body.giveBack();
    const [first, second] = [new AnswerBody(0, memory), new AnswerBody(0, memory)];
    first.add(Buffer.from('first'));
    second.add(Buffer.from('other'));
    expect(first.bytes().toString()).toBe('first');
    body.giveBack();
    expect(body.bytes()).toHaveLength(0);
    expect(new AnswerBody(0, memory).bytes().buffer).not.toBe(first.bytes().buffer);
  });

  it('gives the smaller memory back when it grows', () => {
    const memory = new BodyMemory();
    const body = new AnswerBody(0, memory);
    const before = body.bytes().buffer;
    body.add(Buffer.alloc(64 * 1024 + 1));
    expect(memory.take(0).buffer).toBe(before);
  });
});
