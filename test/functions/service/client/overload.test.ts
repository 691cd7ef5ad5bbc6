import { readInvoicePage } from '#service/invoices/invoice-list.ts';
import { readRefund } from '#service/refunds/day-refunds.ts';
import { RETRY } from '#service/sending/retry.ts';
import {
  always,
  DAY,
  expectWholeDay,
  failureOf,
  fault,
  readAtOnce,
  readInvoices,
  type RunningService,
  startService,
} from '#support/payments/running-service.ts';

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

/** The test measures real time. A machine that is busy for a moment must not turn it red. */
const BUSY_MACHINE = { retry: 2 };

/** The number of open requests when each of these arrived, itself included. */
function open({ sandbox }: RunningService, from = 0, to?: number): number[] {
  return sandbox.requests.slice(from, to).map((request) => request.open);
}

/** The largest of them. */
const mostOpen = (...requests: Parameters<typeof open>) => Math.max(...open(...requests));

/** A day with at least 200 pages. */
const LARGE_DAY = { invoices: 1_000, refunds: 40 };

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
    const failure = { name: 'ServerError', status: 503, operation: 'invoice list (invoiceType 1, page 1)' };
    expect(await failureOf(readInvoicePage(client, DAY, '1', 1))).toMatchObject(failure);
    expect(clock.time - began).toBeLessThanOrEqual(RETRY.budget);
    expect(clock.time - began).toBeGreaterThan(RETRY.budget / 2);
    expect(clock.waits.length).toBeLessThan(30);
  });

  it('is not retried after the deadline of the pull', async () => {
    const { clientWith, sandbox, clock } = await startService();
    always(sandbox, 'invoices', { kind: 'status', status: 503 });
    const deadline = clock.time + 5_000;
    const error = await failureOf(readInvoicePage(clientWith({ deadline }), DAY, '1', 1));
    expect(error.name).toBe('ServerError');
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

it.each([
  ['429', { kind: 'status', status: 429 } as const],
  ['503', { kind: 'status', status: 503 } as const],
  ['"Internal server error occurred" under HTTP 200', { kind: 'server-error', status: 200 } as const],
  ['resets', { kind: 'reset' } as const],
])('requests in flight become fewer after %s, and later as many as before', async (_what, action) => {
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

describe('one pull', () => {
  it('begins with four requests, soon reaches the limit, and never exceeds it', async () => {
    const service = await startService({ size: LARGE_DAY, behaviour: { latencyMilliseconds: 40 } });
    await readInvoices(service.client);
    // The login, and page 1 of each of four types.
    expect(open(service, 0, 5)).toEqual([1, 1, 2, 3, 4]);
    expect(mostOpen(service, 0, 9)).toBeLessThanOrEqual(8);
    expect(mostOpen(service, 0, 80)).toBe(16);
    expect(mostOpen(service)).toBe(16);
  });

  it(
    'has no more requests in flight than the service can handle at once, if more would only wait',
    BUSY_MACHINE,
    async () => {
      const service = await startService({ size: LARGE_DAY, client: { maxConcurrency: 64 } });
      // A service that can handle four requests at once.
      service.sandbox.behaviour.latencyMilliseconds = () =>
        20 * Math.max(1, (service.sandbox.requests.at(-1)?.open ?? 0) / 4);
      // At first every connection is new and nothing is warm, so the best latency is not the service's normal one.
      for (let page = 0; page < 10; page += 1) await readAtOnce(service.client, 1);
      await readAtOnce(service.client, 600);
      const most = mostOpen(service, 400);
      expect(most).toBeGreaterThanOrEqual(4);
      // Otherwise it would be 64. On an idle machine it is 9.
      expect(most).toBeLessThanOrEqual(32);
    },
  );
});

describe('the limit is shared', () => {
  it.each([1, 6, 16])(
    'by invoice types, refunds and refreshes at the same time, %d in all',
    async (maxConcurrency) => {
      const service = await startService({
        size: LARGE_DAY,
        behaviour: { latencyMilliseconds: 5, tokenDiesEvery: 50 },
        client: { maxConcurrency },
      });
      const { client, sandbox, merchant } = service;
      const { ids } = sandbox.data.truth(merchant.merchantCode, DAY).refunds;
      await Promise.all([
        readInvoices(client, ['1', '0']),
        readInvoices(client, ['6', '7']),
        ...ids.map((id) => readRefund(client, id.toString())),
      ]);
      expect(service.count('refund')).toBeGreaterThanOrEqual(ids.length);
      expect(service.count('refresh')).toBeGreaterThan(1);
      expect(mostOpen(service)).toBeLessThanOrEqual(maxConcurrency);
    },
  );

  it('so that an overload of a refund also takes places from invoices', async () => {
    const service = await startService({ size: LARGE_DAY, client: { requestTimeout: 10_000 } });
    const { client, sandbox, merchant } = service;
    sandbox.behaviour.latencyMilliseconds = 20;
    await readAtOnce(client, 60);
    expect(mostOpen(service)).toBe(16);

    const [id] = sandbox.data.truth(merchant.merchantCode, DAY).refunds.ids;
    fault(sandbox, 'refund', { kind: 'status', status: 503 }, { times: 4 });
    await readRefund(client, String(id));
    const afterTheFall = sandbox.requests.length;
    await readAtOnce(client, 8);
    expect(mostOpen(service, afterTheFall)).toBeLessThanOrEqual(2);
  });

  it('only within the merchant’s own pull: another client begins with four', async () => {
    const service = await startService({ behaviour: { latencyMilliseconds: 10 } });
    await readAtOnce(service.client, 60);
    const before = service.sandbox.requests.length;
    await readAtOnce(service.clientWith({}), 6);
    expect(mostOpen(service, before)).toBeLessThanOrEqual(8);
    // First the login, then four at once.
    expect(open(service, before, before + 5)).toEqual([1, 1, 2, 3, 4]);
  });
});
