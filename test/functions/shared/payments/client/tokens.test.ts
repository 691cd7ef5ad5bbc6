import { describe, expect, it } from 'vitest';
import { readInvoicePage } from '#payments/invoices/invoice-list.ts';
import { readRefund } from '#payments/refunds/refund-details.ts';
import { DAY, failureOf, idsOf, readInvoices, startService } from '#support/payments/running-service.ts';
import type { RunningService } from '#support/payments/running-service.ts';

const REFUSED = {
  kind: 'status',
  status: 401,
  body: '{"status":false,"message":"Forbidden Access","response":null}',
} as const;

async function expectWholeDay({ client, sandbox, merchant }: RunningService): Promise<void> {
  expect(idsOf(await readInvoices(client))).toEqual(
    sandbox.data.truth(merchant.merchantCode, DAY).invoices.ids,
  );
}

/** Requests for a token that were answered before the next one came, so that never two were open. */
function tokensOneByOne({ sandbox }: RunningService): () => boolean {
  let open = 0;
  let most = 0;
  sandbox.behaviour.faults.add({
    operation: ['login', 'refresh'],
    times: Infinity,
    action: {
      kind: 'call',
      before: async () => {
        open += 1;
        most = Math.max(most, open);
        await new Promise((resolve) => setTimeout(resolve, 3));
        open -= 1;
      },
    },
  });
  return () => most === 1;
}

describe('a token', () => {
  it('is got once for a whole pull', async () => {
    const service = await startService();
    await expectWholeDay(service);
    expect(service.count('login')).toBe(1);
    expect(service.count('refresh')).toBe(0);
  });

  it.each([1, 2, 3, 7])(
    'that dies after %d requests, with 16 in flight, is replaced as often as needed',
    async (every) => {
      const service = await startService({ size: { invoices: 200 }, behaviour: { tokenDiesEvery: every } });
      const oneByOne = tokensOneByOne(service);
      await expectWholeDay(service);
      const served = service.sandbox.requests.filter(
        ({ operation, status }) => operation === 'invoices' && status === 200,
      );
      const tokens = service.count('login', 'refresh');
      expect(oneByOne()).toBe(true);
      expect(tokens).toBe(Math.ceil(served.length / every));
      expect(service.count('login')).toBe(1);
      expect(service.count('invoices') - served.length).toBeLessThanOrEqual(16 * tokens);
    },
  );

  it('that dies after every request serves refund details, too', async () => {
    const { client, sandbox, merchant } = await startService({
      size: { refunds: 30 },
      behaviour: { tokenDiesEvery: 1, refreshRefused: true },
    });
    const { ids } = sandbox.data.truth(merchant.merchantCode, DAY).refunds;
    const refunds = await Promise.all(ids.map((id) => readRefund(client, String(id))));
    expect(refunds.map((read) => read?.refund.id)).toEqual(ids);
  });

  it('that expires by the clock is refreshed, once for all that are in flight', async () => {
    const service = await startService({ size: { invoices: 200 } });
    const { sandbox, clock } = service;
    sandbox.behaviour.faults.add({
      operation: 'invoices',
      skip: 20,
      action: { kind: 'call', before: () => void (clock.time += 900_001) },
    });
    await expectWholeDay(service);
    expect([service.count('login'), service.count('refresh')]).toEqual([1, 1]);
  });

  it('whose refresh is refused is got by login', async () => {
    const service = await startService({
      size: { invoices: 100 },
      behaviour: { tokenDiesEvery: 10, refreshRefused: true },
    });
    await expectWholeDay(service);
    expect(service.count('login')).toBe(service.count('refresh') + 1);
  });

  it.each([
    ['fails', { kind: 'server-error', status: 500 } as const],
    ['is cut', { kind: 'reset' } as const],
    ['is no JSON', { kind: 'html', status: 200 } as const],
    [
      'is not the contract’s',
      { kind: 'status', status: 200, body: '{"status":true,"response":{}}' } as const,
    ],
  ])('whose refresh %s is got by login', async (_what, action) => {
    const service = await startService({ size: { invoices: 100 }, behaviour: { tokenDiesEvery: 10 } });
    service.sandbox.behaviour.faults.add({ operation: 'refresh', times: Infinity, action });
    await expectWholeDay(service);
    expect(service.count('login')).toBeGreaterThan(1);
  });

  it('whose refresh token is not told is got by login', async () => {
    const service = await startService({ size: { invoices: 100 }, behaviour: { tokenDiesEvery: 10 } });
    service.sandbox.behaviour.faults.add({
      operation: 'login',
      times: Infinity,
      action: { kind: 'replace', body: (text) => text.replace('"refresh_token"', '"another"') },
    });
    await expectWholeDay(service);
    expect(service.count('refresh')).toBe(0);
  });

  it('for which neither refresh nor login answers any more is the login’s error', async () => {
    const { client, sandbox, count } = await startService({
      behaviour: { tokenDiesEvery: 3, refreshRefused: true },
    });
    sandbox.behaviour.faults.add({
      operation: 'login',
      skip: 1,
      times: Infinity,
      action: {
        kind: 'status',
        status: 404,
        body: '{"status":false,"message":"Invalid Signature.","response":null}',
      },
    });
    expect((await failureOf(readInvoices(client))).name).toBe('LoginRefusedError');
    expect(count('login', 'refresh')).toBeLessThanOrEqual(4);
  });
});

describe('a refusal', () => {
  it('of a token that never served is final, after one login', async () => {
    const { client, count } = await startService({ behaviour: { accessRefused: true } });
    expect((await failureOf(readInvoices(client))).name).toBe('ForbiddenError');
    expect(count('login')).toBe(1);
    expect(count('refresh')).toBe(0);
    expect(count('invoices')).toBeLessThanOrEqual(4);
  });

  it('of all tokens from some moment on is final', async () => {
    const { client, sandbox, count } = await startService({ size: { invoices: 200 } });
    sandbox.behaviour.faults.add({ operation: 'invoices', skip: 20, times: Infinity, action: REFUSED });
    expect((await failureOf(readInvoices(client))).name).toBe('ForbiddenError');
    expect(count('login', 'refresh')).toBeLessThanOrEqual(2);
    expect(count('invoices')).toBeLessThanOrEqual(20 + 3 * 16);
  });

  it('of one page for ever, while others are let in, is final after a few tokens', async () => {
    const { client, sandbox, count } = await startService({ size: { invoices: 200 } });
    sandbox.behaviour.faults.add({
      operation: 'invoices',
      page: 3,
      invoiceType: '1',
      times: Infinity,
      action: REFUSED,
    });
    const error = await failureOf(readInvoices(client));
    expect(error).toMatchObject({
      name: 'ForbiddenError',
      operation: 'invoice list (invoiceType 1, page 3)',
    });
    expect(count('login', 'refresh')).toBeLessThanOrEqual(7);
  });

  it('of one page once is overcome with a new token', async () => {
    const service = await startService();
    service.sandbox.behaviour.faults.add({
      operation: 'invoices',
      page: 2,
      invoiceType: '1',
      action: REFUSED,
    });
    await expectWholeDay(service);
    expect(service.count('login', 'refresh')).toBe(2);
  });

  it('of what the merchant may not read, while it may read the rest, is final', async () => {
    const { client, sandbox, merchant, count } = await startService();
    await readInvoicePage(client, DAY, '1', 1);
    sandbox.behaviour.faults.add({
      operation: 'refund',
      times: Infinity,
      action: { ...REFUSED, status: 403 },
    });
    const { ids } = sandbox.data.truth(merchant.merchantCode, DAY).refunds;
    const failures = await Promise.all(ids.map((id) => failureOf(readRefund(client, String(id)))));
    expect(new Set(failures.map(({ name }) => name))).toEqual(new Set(['ForbiddenError']));
    expect(count('login', 'refresh')).toBeLessThanOrEqual(3);
  });
});
