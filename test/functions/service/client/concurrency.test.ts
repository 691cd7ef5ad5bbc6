import { describe, expect, it } from 'vitest';
import { readRefund } from '#service/refunds/day-refunds.ts';
import { DAY, fault, readAtOnce, readInvoices, startService } from '#support/payments/running-service.ts';
import type { RunningService } from '#support/payments/running-service.ts';

/** The test measures real time. A machine that is busy for a moment must not turn it red. */
const BUSY_MACHINE = { retry: 2 };

/** The number of open requests when each of these arrived, itself included. */
function open({ sandbox }: RunningService, from = 0, to?: number): number[] {
  return sandbox.requests.slice(from, to).map((request) => request.open);
}

/** A day with at least 200 pages. */
const LARGE_DAY = { invoices: 1_000, refunds: 40 };

describe('one pull', () => {
  it('begins with four requests, soon reaches the limit, and never exceeds it', async () => {
    const service = await startService({ size: LARGE_DAY, behaviour: { latencyMilliseconds: 40 } });
    await readInvoices(service.client);
    // The login, and page 1 of each of four types.
    expect(open(service, 0, 5)).toEqual([1, 1, 2, 3, 4]);
    expect(Math.max(...open(service, 0, 9))).toBeLessThanOrEqual(8);
    expect(Math.max(...open(service, 0, 80))).toBe(16);
    expect(Math.max(...open(service))).toBe(16);
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
      const most = Math.max(...open(service, 400));
      expect(most).toBeGreaterThanOrEqual(4);
      // Otherwise it would be 64. On an idle machine it is 9.
      expect(most).toBeLessThanOrEqual(32);
    },
  );
});

describe('the limit is shared', () => {
  it.each([1, 6, 16])(
    'by invoice types and refunds that are read at the same time, %d in all',
    async (maxConcurrency) => {
      const service = await startService({
        size: LARGE_DAY,
        behaviour: { latencyMilliseconds: 5 },
        client: { maxConcurrency },
      });
      const { client, sandbox, merchant } = service;
      const { ids } = sandbox.data.truth(merchant.merchantCode, DAY).refunds;
      await Promise.all([
        readInvoices(client, ['1', '0']),
        readInvoices(client, ['6', '7']),
        ...ids.map((id) => readRefund(client, id.toString())),
      ]);
      expect(service.count('refund')).toBe(ids.length);
      expect(Math.max(...open(service))).toBeLessThanOrEqual(maxConcurrency);
    },
  );

  it('so that an overload of a refund also takes places from invoices', async () => {
    const service = await startService({ size: LARGE_DAY, client: { requestTimeout: 10_000 } });
    const { client, sandbox, merchant } = service;
    sandbox.behaviour.latencyMilliseconds = 20;
    await readAtOnce(client, 60);
    expect(Math.max(...open(service))).toBe(16);

    const [id] = sandbox.data.truth(merchant.merchantCode, DAY).refunds.ids;
    fault(sandbox, 'refund', { kind: 'status', status: 503 }, { times: 4 });
    await readRefund(client, String(id));
    const afterTheFall = sandbox.requests.length;
    await readAtOnce(client, 8);
    expect(Math.max(...open(service, afterTheFall))).toBeLessThanOrEqual(2);
  });

  it('only within the merchant’s own pull: another client begins with four', async () => {
    const service = await startService({ behaviour: { latencyMilliseconds: 10 } });
    await readAtOnce(service.client, 60);
    const before = service.sandbox.requests.length;
    await readAtOnce(service.clientWith({}), 6);
    expect(Math.max(...open(service, before))).toBeLessThanOrEqual(8);
    // First the login, then four at once.
    expect(open(service, before, before + 5)).toEqual([1, 1, 2, 3, 4]);
  });
});
