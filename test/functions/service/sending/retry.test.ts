import { describe, expect, it } from 'vitest';
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
} from '#service/errors.ts';
import type { PaymentsError } from '#service/errors.ts';
import { RETRY, readRetryAfter, retryDelay } from '#service/sending/retry.ts';
import { Attempt, Attempts } from '#service/sending/transport.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

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
