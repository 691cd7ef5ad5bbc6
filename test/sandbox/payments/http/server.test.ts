import { createServer } from 'node:http';
import { sandboxMerchant, startPaymentsSandbox, type RecordedRequest } from '#sandbox/payments/index.ts';
import { signIn } from '#support/payments/running-service.ts';
import { anyOf } from '#support/assertions/index.ts';
import { listening } from '#support/machine.ts';

const merchant = sandboxMerchant(0);
const other = sandboxMerchant(1);
const withCipher = (change: object) => ({ ...merchant, cipher: { ...merchant.cipher, ...change } });

it('the record of requests has each request without token, password or payload', async () => {
  const over: RecordedRequest[] = [];
  const sandbox = await startPaymentsSandbox({
    merchants: [merchant],
    now: () => 1_795_000_000_000,
    onRequest: (request) => over.push(request),
  });
  const client = await signIn(sandbox, merchant);
  await client.invoices({ page: 2, invoiceType: '1' });
  await client.refund(5);
  const [method, merchantCode] = ['GET', '700001'];
  const got = { method, status: 200, query: {}, merchantCode, at: 1_795_000_000_000, open: 1 };
  const refusal = 'the merchant has no refund with this id';
  const query = { page: '2', invoiceType: '1' };
  expect(sandbox.requests).toEqual([
    { ...got, method: 'POST', path: '/api/v1/login', operation: 'login' },
    { ...got, path: '/api/v1/invoice-dashboard', operation: 'invoices', query },
    { ...got, path: '/api/v1/refund/5', operation: 'refund', status: 404, refusal },
  ]);
  await sandbox.close();
  expect(over).toEqual(sandbox.requests);
});

it.each(['before', 'after'] as const)(
  'a reset cuts the connection %s the service has done its work',
  async (when) => {
    const [code, day] = [merchant.merchantCode, '2026-11-20'];
    const sandbox = await startPaymentsSandbox({ merchants: [merchant] });
    sandbox.data.seedDay(code, day, { invoices: 40, refunds: 5 });
    const client = await signIn(sandbox, merchant);
    sandbox.behaviour.shift = { every: 1, times: 1 };
    sandbox.behaviour.faults.add({ operation: 'invoices', action: { kind: 'reset', when } });
    await expect(client.invoices({ fromDate: day, toDate: day })).rejects.toThrow(TypeError);
    expect(sandbox.data.truth(code, day).invoices.count).toBe(when === 'before' ? 40 : 41);
    await sandbox.close();
  },
);

it('close of the sandbox ends hanging, dripping and waiting requests within a second, and may be called again', async () => {
  const sandbox = await startPaymentsSandbox({ merchants: [merchant] });
  const client = await signIn(sandbox, merchant);
  const { faults } = sandbox.behaviour;
  faults.add({ page: 1, action: { kind: 'hang' } });
  faults.add({ page: 2, action: { kind: 'drip', bytes: 1, everyMilliseconds: 60_000 } });
  faults.add({ page: 3, action: { kind: 'delay', milliseconds: 60_000 } });
  const ends = [1, 2, 3].map((page) =>
    client.fetch('/api/v1/invoice-dashboard', { page }).then((r) => r.text()),
  );
  const settled = Promise.allSettled(ends);
  while (sandbox.requests.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  const started = performance.now();
  await Promise.all([sandbox.close(), sandbox.close()]);
  expect(performance.now() - started).toBeLessThan(1000);
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(fetch(sandbox.origin)).rejects.toThrow(TypeError);
});

describe('start of the sandbox', () => {
  it('rejects when the port is in use', async () => {
    const port = Number((await listening(createServer())).split(':')[1]);
    await expect(startPaymentsSandbox({ merchants: [], port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it.each<[string, object]>([
    [
      'two merchants share one accessCode',
      { merchants: [merchant, { ...other, accessCode: merchant.accessCode }] },
    ],
    ["merchant 700001: the cipher's IV is not 16 bytes long", { merchants: [withCipher({ iv: 'short' })] }],
    [
      "merchant 700001: the cipher's key is not 32 bytes long",
      { merchants: [withCipher({ key: 'secret' })] },
    ],
    ['a page has at least one record', { perPage: 0 }],
  ])('rejects with "%s"', async (message, options) => {
    await expect(startPaymentsSandbox({ merchants: [], ...options })).rejects.toThrow(
      new RangeError(message),
    );
  });

  it('gives a merchant without a numeric id one of its own', async () => {
    const { merchantId: _merchantId, ...bare } = merchant;
    const sandbox = await startPaymentsSandbox({ merchants: [bare] });
    const id = sandbox.data.insertRefund('700001', '2026-11-20');
    const { body } = await (await signIn(sandbox, bare)).refund(id);
    await sandbox.close();
    expect(body).toMatchObject({ response: { id, merchant_id: anyOf(Number) } });
  });
});
