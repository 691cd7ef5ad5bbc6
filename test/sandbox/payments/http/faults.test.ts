import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  sandboxMerchant,
  startPaymentsSandbox,
  type PaymentsFaultAction,
  type PaymentsSandbox,
} from '#sandbox/payments/index.ts';
import { signIn, tokenOf, type SignedInClient } from '#support/payments/signed-in-client.ts';
import * as z from 'zod';

const DAY = '2026-11-20';
const merchant = sandboxMerchant(0);
const code = merchant.merchantCode;
const LIST = '/api/v1/invoice-dashboard';
const range = { fromDate: DAY, toDate: DAY };

let sandbox: PaymentsSandbox;
let client: SignedInClient;
beforeEach(async () => {
  sandbox = await startPaymentsSandbox({ merchants: [merchant, sandboxMerchant(1)] });
  sandbox.data.seedDay(code, DAY, { invoices: 40, refunds: 5 });
  client = await signIn(sandbox, merchant);
});
afterEach(() => sandbox.close());

const strike = (action: PaymentsFaultAction): void =>
  sandbox.behaviour.faults.add({ operation: 'invoices', action });
const lastRequest = () => sandbox.requests.at(-1);

describe('a fault of the payments sandbox applies', () => {
  const statuses = async (pages: number[]): Promise<number[]> => {
    const answers = [];
    for (const page of pages) answers.push((await client.fetch(LIST, { ...range, page })).status);
    return answers;
  };

  it('to the requests that skip, times and page select', async () => {
    const action = { kind: 'status', status: 503 } as const;
    sandbox.behaviour.faults.add({ page: [2, 3], skip: 1, times: 2, action });
    expect(await statuses([2, 1, 2, 3, 3])).toEqual([200, 200, 503, 503, 200]);
  });

  it('one after the other when there are several, until they are cleared', async () => {
    strike({ kind: 'status', status: 500 });
    sandbox.behaviour.faults.add({ times: Infinity, action: { kind: 'status', status: 502 } });
    expect(await statuses([1, 1, 1])).toEqual([500, 502, 502]);
    sandbox.behaviour.faults.clear();
    expect(await statuses([1])).toEqual([200]);
  });

  it('to the operation, merchant, path and invoice type that it names', async () => {
    const action = { kind: 'status', status: 503, body: '{}' } as const;
    const { faults } = sandbox.behaviour;
    faults.add({ operation: ['refund', 'refunds'], path: /\/7$/, action });
    faults.add({ merchantCode: '700002', times: Infinity, action });
    faults.add({ invoiceType: '6', action });
    expect((await client.refund(8)).status).toBe(404);
    expect((await client.refund(7)).status).toBe(503);
    expect((await client.fetch(LIST, { invoiceType: '1' })).status).toBe(200);
    expect((await client.fetch(LIST, { invoiceType: '6' })).status).toBe(503);
    // The fault's answer has no token to read.
    await expect(tokenOf(sandbox, sandboxMerchant(1))).rejects.toThrow(z.ZodError);
    expect((await tokenOf(sandbox, merchant)).expires_in).toBe(900);
  });
});

describe('the fault of kind', () => {
  it.each(['before', 'after'] as const)(
    'reset cuts the connection %s the service has done its work',
    async (when) => {
      sandbox.behaviour.shift = { every: 1, times: 1 };
      strike({ kind: 'reset', when });
      await expect(client.fetch(LIST, range)).rejects.toThrow(TypeError);
      expect(sandbox.data.truth(code, DAY).invoices.count).toBe(when === 'before' ? 40 : 41);
      expect(lastRequest()?.status).toBe(0);
    },
  );

  it.each(['before', 'after'] as const)('hang gives no answer until the client leaves, %s', async (when) => {
    strike({ kind: 'hang', when });
    const caller = new AbortController();
    const hung = client.fetch(LIST, range, {}, { signal: caller.signal });
    const came = sandbox.requests.length + 1;
    while (sandbox.requests.length < came) await new Promise((resolve) => setTimeout(resolve, 5));
    caller.abort();
    await expect(hung).rejects.toThrow(/aborted/);
    expect(lastRequest()?.status).toBe(0);
    expect((await client.invoices(range)).status).toBe(200);
  });
});
