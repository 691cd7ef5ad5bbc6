import { describe, expect, it } from 'vitest';
import { readInvoicePage } from '#service/invoices/invoice-list.ts';
import { RETRY } from '#service/sending/retry.ts';
import {
  DAY,
  failureOf,
  readAtOnce,
  readInvoices,
  startService,
  always,
  fault,
  expectWholeDay,
} from '#support/payments/running-service.ts';
import type { RunningService } from '#support/payments/running-service.ts';

/** The largest number of requests that were open at once, among the recorded ones from `from` on. */
function mostOpen({ sandbox }: RunningService, from = 0): number {
  return Math.max(...sandbox.requests.slice(from).map(({ open }) => open));
}

/** Delays the next requests until this many of them are open. */
function holdUntilOpen({ sandbox }: RunningService, requests: number): void {
  const together = Promise.withResolvers<undefined>();
  let held = 0;
  const before = async () => {
    held += 1;
    if (held === requests) together.resolve(undefined);
    await together.promise;
  };
  fault(sandbox, 'invoices', { kind: 'call', before }, { times: requests });
}

describe('HTTP 429', () => {
  it.each([
    ['without Retry-After', {}, 125],
    ['with seconds', { retryAfter: 7 }, 7_125],
    ['with a date', { retryAfter: new Date('2026-11-21T03:00:30Z') }, 30_125],
  ])('%s causes a wait', async (_what, headers, wait) => {
    const { client, sandbox, clock } = await startService();
    fault(sandbox, 'invoices', { kind: 'status', status: 429, ...headers });
    expect((await readInvoicePage(client, DAY, '1', 1)).invoices).toHaveLength(5);
    expect(clock.waits).toEqual([wait]);
  });

  it('with a longer wait than the time that is left ends the pull at once', async () => {
    const { client, sandbox, clock, count } = await startService();
    always(sandbox, 'invoices', { kind: 'status', status: 429, retryAfter: 3_600 });
    expect(await failureOf(readInvoicePage(client, DAY, '1', 1))).toMatchObject({
      name: 'RateLimitedError',
      retryAfter: 3_600_000,
    });
    expect(clock.waits).toEqual([]);
    expect(count('invoices')).toBe(1);
  });

  it('at login also causes a wait', async () => {
    const service = await startService();
    fault(service.sandbox, 'login', { kind: 'status', status: 429, retryAfter: 2 });
    await expectWholeDay(service);
    expect(service.clock.waits).toEqual([2_125]);
  });
});

describe('HTTP 5xx', () => {
  it('without end causes a clear error before the budget of a request is used up', async () => {
    const { client, sandbox, clock } = await startService();
    always(sandbox, 'invoices', { kind: 'status', status: 503 });
    const began = clock.time;
    const error = await failureOf(readInvoicePage(client, DAY, '1', 1));
    expect(error).toMatchObject({
      name: 'ServerError',
      status: 503,
      operation: 'invoice list (invoiceType 1, page 1)',
    });
    expect(clock.time - began).toBeLessThanOrEqual(RETRY.budget);
    expect(clock.time - began).toBeGreaterThan(RETRY.budget / 2);
    expect(clock.waits.length).toBeLessThan(30);
  });

  it('without end at login causes a clear error within the budget', async () => {
    const { client, sandbox, clock, count } = await startService();
    always(sandbox, 'login', { kind: 'status', status: 503 });
    const began = clock.time;
    expect(await failureOf(readInvoices(client))).toMatchObject({ name: 'ServerError', operation: 'login' });
    expect(clock.time - began).toBeLessThanOrEqual(2 * RETRY.budget);
    expect(count('login')).toBeLessThan(60);
  });

  it('is not retried after the deadline of the pull', async () => {
    const { clientWith, sandbox, clock } = await startService();
    always(sandbox, 'invoices', { kind: 'status', status: 503 });
    const deadline = clock.time + 5_000;
    expect((await failureOf(readInvoicePage(clientWith({ deadline }), DAY, '1', 1))).name).toBe(
      'ServerError',
    );
    expect(clock.time).toBeLessThan(deadline);
  });

  it('is retried with the settings of the client', async () => {
    const { clientWith, sandbox, clock } = await startService();
    always(sandbox, 'invoices', { kind: 'status', status: 503 });
    const client = clientWith({ retry: { firstDelay: 10, longestDelay: 20, budget: 40 }, random: () => 1 });
    await failureOf(readInvoicePage(client, DAY, '1', 1));
    expect(clock.waits).toEqual([10, 20]);
  });
});

describe('requests in flight', () => {
  it.each([1, 2])('are never more than %d, refreshes included', async (maxConcurrency) => {
    const service = await startService({
      size: { invoices: 100 },
      behaviour: { latencyMilliseconds: 2, tokenDiesEvery: 2 },
      client: { maxConcurrency },
    });
    await expectWholeDay(service);
    expect(service.count('refresh')).toBeGreaterThan(1);
    expect(mostOpen(service)).toBeLessThanOrEqual(maxConcurrency);
  });

  it.each([
    ['429', { kind: 'status', status: 429 } as const],
    ['503', { kind: 'status', status: 503 } as const],
    ['"Internal server error occurred" under HTTP 200', { kind: 'server-error', status: 200 } as const],
    ['resets', { kind: 'reset' } as const],
  ])('become fewer after %s, and later as many as before', async (_what, action) => {
    const service = await startService({ client: { requestTimeout: 10_000 } });
    const { client, sandbox } = service;
    await readInvoicePage(client, DAY, '1', 1);
    fault(sandbox, 'invoices', action, { times: 4 });
    await readInvoicePage(client, DAY, '1', 1);

    const afterTheFall = sandbox.requests.length;
    sandbox.behaviour.latencyMilliseconds = 5;
    await readAtOnce(client, 16);
    expect(mostOpen(service, afterTheFall)).toBeLessThanOrEqual(6);

    sandbox.behaviour.latencyMilliseconds = 0;
    await readAtOnce(client, 200);
    holdUntilOpen(service, 16);
    await readAtOnce(client, 40);
    expect(mostOpen(service)).toBe(16);
  });
});
