import { describe, expect, it } from 'vitest';
import { readInvoicePage } from '../../../../functions/shared/payments/invoice-list.ts';
import { RETRY } from '../../../../functions/shared/payments/retry.ts';
import { DAY, failureOf, idsOf, readInvoices, startService } from './running-service.ts';
import type { RunningService } from './running-service.ts';

async function expectWholeDay({ client, sandbox, merchant }: RunningService): Promise<void> {
  expect(idsOf(await readInvoices(client))).toEqual(
    sandbox.data.truth(merchant.merchantCode, DAY).invoices.ids,
  );
}

/** The most requests that were open at once among the recorded ones from `from` on. */
function mostOpen({ sandbox }: RunningService, from = 0, to?: number): number {
  return Math.max(...sandbox.requests.slice(from, to).map(({ open }) => open));
}

describe('HTTP 429', () => {
  it.each([
    ['without Retry-After', {}, 125],
    ['with seconds', { retryAfter: 7 }, 7_125],
    ['with a date', { retryAfter: new Date('2026-11-21T03:00:30Z') }, 30_125],
    ['with a date that is over', { retryAfter: new Date('2026-11-21T02:00:00Z') }, 125],
    ['with nonsense', { headers: { 'retry-after': '1.5 or so' } }, 125],
  ])('%s is waited for', async (_what, headers, wait) => {
    const { client, sandbox, clock } = await startService();
    sandbox.behaviour.faults.add({
      operation: 'invoices',
      action: { kind: 'status', status: 429, ...headers },
    });
    expect((await readInvoicePage(client, DAY, '1', 1)).invoices).toHaveLength(5);
    expect(clock.waits).toEqual([wait]);
  });

  it('that asks for more time than there is ends at once', async () => {
    const { client, sandbox, clock, count } = await startService();
    sandbox.behaviour.faults.add({
      operation: 'invoices',
      times: Infinity,
      action: { kind: 'status', status: 429, retryAfter: 3_600 },
    });
    expect(await failureOf(readInvoicePage(client, DAY, '1', 1))).toMatchObject({
      name: 'RateLimitedError',
      retryAfter: 3_600_000,
    });
    expect(clock.waits).toEqual([]);
    expect(count('invoices')).toBe(1);
  });

  it('at login is waited for, too', async () => {
    const service = await startService();
    service.sandbox.behaviour.faults.add({
      operation: 'login',
      action: { kind: 'status', status: 429, retryAfter: 2 },
    });
    await expectWholeDay(service);
    expect(service.clock.waits).toEqual([2_125]);
  });
});

describe('HTTP 5xx', () => {
  it.each([500, 502, 503, 504])('of %d in a burst passes', async (status) => {
    const service = await startService({ size: { invoices: 100 } });
    service.sandbox.behaviour.faults.add({
      operation: 'invoices',
      skip: 5,
      times: 20,
      action: { kind: 'status', status },
    });
    await expectWholeDay(service);
  });

  it('for ever ends with a clear error before the budget of a request is over', async () => {
    const { client, sandbox, clock } = await startService();
    sandbox.behaviour.faults.add({
      operation: 'invoices',
      times: Infinity,
      action: { kind: 'status', status: 503 },
    });
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

  it('for ever at login ends with a clear error within the budget', async () => {
    const { client, sandbox, clock, count } = await startService();
    sandbox.behaviour.faults.add({
      operation: 'login',
      times: Infinity,
      action: { kind: 'status', status: 503 },
    });
    const began = clock.time;
    expect(await failureOf(readInvoices(client))).toMatchObject({ name: 'ServerError', operation: 'login' });
    expect(clock.time - began).toBeLessThanOrEqual(2 * RETRY.budget);
    expect(count('login')).toBeLessThan(60);
  });

  it('is not tried again past the deadline of the pull', async () => {
    const { clientWith, sandbox, clock } = await startService();
    sandbox.behaviour.faults.add({
      operation: 'invoices',
      times: Infinity,
      action: { kind: 'status', status: 503 },
    });
    const deadline = clock.time + 5_000;
    expect((await failureOf(readInvoicePage(clientWith({ deadline }), DAY, '1', 1))).name).toBe(
      'ServerError',
    );
    expect(clock.time).toBeLessThan(deadline);
  });

  it('is tried again with the settings that a client is given', async () => {
    const { clientWith, sandbox, clock } = await startService();
    sandbox.behaviour.faults.add({
      operation: 'invoices',
      times: Infinity,
      action: { kind: 'status', status: 503 },
    });
    const client = clientWith({ retry: { firstDelay: 10, longestDelay: 20, budget: 40 }, random: () => 1 });
    await failureOf(readInvoicePage(client, DAY, '1', 1));
    expect(clock.waits).toEqual([10, 20]);
  });
});

describe('requests in flight', () => {
  it.each([1, 3, 16])('are never more than %d, whatever the number of pages', async (maxConcurrency) => {
    const service = await startService({
      size: { invoices: 150 },
      behaviour: { latencyMilliseconds: 2 },
      client: { maxConcurrency },
    });
    await expectWholeDay(service);
    expect(mostOpen(service)).toBeLessThanOrEqual(maxConcurrency);
    expect(mostOpen(service)).toBeGreaterThan(maxConcurrency / 2);
  });

  it.each([1, 4])('are never more than %d, refreshes among them', async (maxConcurrency) => {
    const service = await startService({
      size: { invoices: 100 },
      behaviour: { latencyMilliseconds: 2, tokenDiesEvery: 5 },
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
    ['a reset', { kind: 'reset' } as const],
  ])('become fewer after %s, and more again', async (_what, action) => {
    const service = await startService({
      size: { invoices: 400 },
      perPage: 2,
      behaviour: { latencyMilliseconds: 2 },
    });
    const struck = 40;
    // Failures come one after another, so that each shows an overload of its own.
    for (let index = 0; index < 4; index += 1) {
      service.sandbox.behaviour.faults.add({ operation: 'invoices', skip: struck + 20 * index, action });
    }
    await expectWholeDay(service);
    expect(mostOpen(service, 0, struck)).toBe(16);
    const opened = service.sandbox.requests.slice(struck + 20).map(({ open }) => open);
    expect(Math.min(...opened.slice(0, 100))).toBeLessThanOrEqual(8);
    expect(mostOpen(service, -60)).toBeGreaterThan(Math.min(...opened.slice(0, 100)));
  });
});
