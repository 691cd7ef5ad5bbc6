import { describe, expect, it } from 'vitest';
import type { PaymentsClient } from '#payments/client.ts';
import { readInvoicePage } from '#payments/invoices/invoice-list.ts';
import { readRefund } from '#payments/refunds/refund-details.ts';
import { DAY, readInvoices, startService } from '#support/payments/running-service.ts';
import type { RunningService } from '#support/payments/running-service.ts';

/** Requests that were open when each of these came, itself among them. */
function open({ sandbox }: RunningService, from = 0, to?: number): number[] {
  return sandbox.requests.slice(from, to).map((request) => request.open);
}

function readAtOnce(client: PaymentsClient, times: number): Promise<unknown> {
  return Promise.all(Array.from({ length: times }, () => readInvoicePage(client, DAY, '1', 1)));
}

/** A day of 200 pages and more. */
const LARGE_DAY = { invoices: 1_000, refunds: 40 };

describe('one pull', () => {
  it('begins with four requests, is soon at its most, and never above', async () => {
    const service = await startService({ size: LARGE_DAY, behaviour: { latencyMilliseconds: 40 } });
    await readInvoices(service.client);
    // The login, and page 1 of each of four types.
    expect(open(service, 0, 5)).toEqual([1, 1, 2, 3, 4]);
    expect(Math.max(...open(service, 0, 9))).toBeLessThanOrEqual(8);
    expect(Math.max(...open(service, 0, 80))).toBe(16);
    expect(Math.max(...open(service))).toBe(16);
  });

  it('has half as many requests in flight after one HTTP 429, and as many again later', async () => {
    const service = await startService({
      size: { invoices: 1_500 },
      // Long beside what a busy machine takes for sixteen requests.
      behaviour: { latencyMilliseconds: 30 },
    });
    service.sandbox.behaviour.faults.add({
      operation: 'invoices',
      skip: 59,
      action: { kind: 'status', status: 429 },
    });
    await readInvoices(service.client);
    const refused = service.sandbox.requests.findIndex(({ status }) => status === 429);
    // Not all 16 at every moment: answers wait for their turn, and hold places in the window of pages.
    expect(Math.max(...open(service, 0, refused))).toBeGreaterThanOrEqual(14);
    // Those that were sent before it was known, and then those after.
    const after = open(service, refused + 16, refused + 26);
    expect(Math.max(...after)).toBeLessThanOrEqual(10);
    expect(Math.max(...open(service, refused + 26))).toBeGreaterThanOrEqual(14);
  });

  it('has no more in flight than the service can bear where further requests would only wait', async () => {
    const service = await startService({ size: LARGE_DAY, client: { maxConcurrency: 64 } });
    // A service that works on four at once.
    service.sandbox.behaviour.latencyMilliseconds = () =>
      20 * Math.max(1, (service.sandbox.requests.at(-1)?.open ?? 0) / 4);
    // The best latency, when every connection is new and nothing is warm, is not that of the service.
    for (let page = 0; page < 10; page += 1) await readAtOnce(service.client, 1);
    await readAtOnce(service.client, 600);
    const most = Math.max(...open(service, 400));
    expect(most).toBeGreaterThanOrEqual(4);
    // It would be 64 otherwise; on a machine with nothing else to do it is 9.
    expect(most).toBeLessThanOrEqual(32);
  });
});

describe('the limit is shared', () => {
  it.each([1, 6, 16])(
    'by invoice types and refunds that are read side by side, %d in all',
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

  it('so that a refund that meets an overload takes places from invoices, too', async () => {
    const service = await startService({ size: LARGE_DAY, client: { requestTimeout: 10_000 } });
    const { client, sandbox, merchant } = service;
    sandbox.behaviour.latencyMilliseconds = 20;
    await readAtOnce(client, 60);
    expect(Math.max(...open(service))).toBe(16);

    const [id] = sandbox.data.truth(merchant.merchantCode, DAY).refunds.ids;
    sandbox.behaviour.faults.add({
      operation: 'refund',
      times: 4,
      action: { kind: 'status', status: 503 },
    });
    await readRefund(client, String(id));
    const afterTheFall = sandbox.requests.length;
    await readAtOnce(client, 8);
    expect(Math.max(...open(service, afterTheFall))).toBeLessThanOrEqual(2);
  });

  it('by nobody but the merchant’s own pull: another client begins with four', async () => {
    const service = await startService({ behaviour: { latencyMilliseconds: 10 } });
    await readAtOnce(service.client, 60);
    const before = service.sandbox.requests.length;
    await readAtOnce(service.clientWith({}), 6);
    expect(Math.max(...open(service, before))).toBeLessThanOrEqual(8);
    // Login first, then four at once.
    expect(open(service, before, before + 5)).toEqual([1, 1, 2, 3, 4]);
  });
});
