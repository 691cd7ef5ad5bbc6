import type { PaymentsFaultAction, SandboxCipher } from '#sandbox/payments/index.ts';
import { SecretError } from '#service/authentication/credentials.ts';
import { readInvoicePage } from '#service/invoices/invoice-list.ts';
import { readRefund } from '#service/refunds/day-refunds.ts';
import {
  always,
  DAY,
  expectWholeDay,
  failureOf,
  fault,
  idsOf,
  readInvoices,
  type RunningService,
  startService,
  entryOf,
  tokenOf,
} from '#support/payments/running-service.ts';

const WRONG: SandboxCipher = { algorithm: 'aes-256-cbc', key: 'w'.repeat(32), iv: 'w'.repeat(16) };

const FORBIDDEN = '{"status":false,"message":"Forbidden Access","response":null}';
const REFUSED = { kind: 'status', status: 401, body: FORBIDDEN } as const;

/** Requests for a token that were answered before the next one came, so no two of them were open at once. */
function tokensOneByOne({ sandbox }: RunningService): () => boolean {
  let open = 0;
  let most = 0;
  always(sandbox, ['login', 'refresh'], {
    kind: 'call',
    before: async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 3));
      open -= 1;
    },
  });
  return () => most === 1;
}

describe('a refused login', () => {
  it.each<[string, PaymentsFaultAction | undefined]>([
    ['"Invalid Signature."', undefined],
    ['401 without a body', { kind: 'status', status: 401 }],
    ['"Forbidden Access"', { ...REFUSED, status: 200 }],
  ])('is one clear error after one request: %s', async (_what, action) => {
    const { client, sandbox, count, secret } = await startService({ behaviour: { loginRefused: true } });
    if (action !== undefined) always(sandbox, 'login', action);
    const error = await failureOf(readInvoices(client));
    expect(error).toMatchObject({ name: 'LoginRefusedError', operation: 'login' });
    expect(error.message).toBe('login: the service refuses the login');
    expect([count('login'), count('invoices', 'refresh')]).toEqual([1, 0]);
    expect(secret.reads.filter((read) => read === 'fresh')).toHaveLength(1);
  });

  it.each([
    ['{"status":true,"response":{}}', 'response.token'],
    ['{"status":true,"response":{"token":{"access_token":7}}}', 'response.token.access_token'],
    ['{"status":true,"response":{"token":{"access_token":"can ary"}}}', 'response.token.access_token'],
    ['{"status":true,"response":null}', 'response'],
  ])('is not assumed if the answer is %s, which does not follow the contract', async (body, path) => {
    const { client, sandbox } = await startService();
    fault(sandbox, 'login', { kind: 'status', status: 200, body });
    const error = await failureOf(readInvoicePage(client, DAY, '1', 1));
    expect(error).toMatchObject({ name: 'ContractError', operation: 'login', path });
    expect(error.message).not.toContain('ary');
  });
});

describe('an access token in the secret', () => {
  it('needs no login', async () => {
    const { client, count, secret, merchant, sandbox } = await startService();
    const { access_token: accessToken } = await tokenOf(sandbox, merchant);
    const { accessCode, cipher } = merchant;
    secret.stored = { current: { accessCode, cipher, accessToken }, previous: undefined };
    expect(idsOf(await readInvoices(client))).toHaveLength(40);
    // That of the test.
    expect(count('login')).toBe(1);
  });

  it('that has expired is a clear error', async () => {
    const { client, count, secret, merchant } = await startService();
    const { accessCode, cipher } = merchant;
    secret.stored = { current: { accessCode, cipher, accessToken: 'expired' }, previous: undefined };
    expect((await failureOf(readInvoices(client))).name).toBe('ForbiddenError');
    expect(count('login', 'refresh')).toBe(0);
    expect(count('invoices')).toBeLessThanOrEqual(4);
  });
});

it('a wrong key is a CipherError if error bodies come encrypted', async () => {
  const { client, secret, merchant } = await startService({ behaviour: { errorAnswers: 'encrypted' } });
  secret.stored = entryOf(merchant, { cipher: WRONG });
  expect((await failureOf(readInvoices(client))).name).toBe('CipherError');
});

it('a secret that cannot be read causes its own error, and no request to the service', async () => {
  const { clientWith, count } = await startService();
  const failure = new SecretError('secret daybook/merchants: has no merchant 700001');
  const secret = { current: () => Promise.reject(failure), beforeRotation: () => Promise.reject(failure) };
  expect(await failureOf(readInvoices(clientWith({ secret })))).toBe(failure);
  expect(count('login', 'invoices')).toBe(0);
});

describe('a token', () => {
  it.each([1, 2, 3, 7])(
    'that expires after %d requests, with 16 in flight, is replaced as often as needed',
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

  it('that expires after every request also works for refund details', async () => {
    const { client, sandbox, merchant } = await startService({
      size: { refunds: 30 },
      behaviour: { tokenDiesEvery: 1, refreshRefused: true },
    });
    const { ids } = sandbox.data.truth(merchant.merchantCode, DAY).refunds;
    const refunds = await Promise.all(ids.map((id) => readRefund(client, String(id))));
    expect(refunds.map((read) => read?.refund.id)).toEqual(ids);
  });

  it('that expires by the clock is refreshed, once for all requests in flight', async () => {
    const service = await startService({ size: { invoices: 200 } });
    const { sandbox, clock } = service;
    fault(sandbox, 'invoices', { kind: 'call', before: () => void (clock.time += 900_001) }, { skip: 20 });
    await expectWholeDay(service);
    expect([service.count('login'), service.count('refresh')]).toEqual([1, 1]);
  });

  it.each<[string, PaymentsFaultAction]>([
    ['is refused', REFUSED],
    ['fails', { kind: 'server-error', status: 500 }],
    ['is cut', { kind: 'reset' }],
    ['is not JSON', { kind: 'html', status: 200 }],
    ['is not of the contract', { kind: 'status', status: 200, body: '{"status":true,"response":{}}' }],
  ])('whose refresh %s is replaced by a login', async (_what, action) => {
    const service = await startService({ size: { invoices: 100 }, behaviour: { tokenDiesEvery: 10 } });
    always(service.sandbox, 'refresh', action);
    await expectWholeDay(service);
    expect(service.count('login')).toBeGreaterThan(1);
  });

  it('without a refresh token is replaced by a login', async () => {
    const service = await startService({ size: { invoices: 100 }, behaviour: { tokenDiesEvery: 10 } });
    always(service.sandbox, 'login', {
      kind: 'replace',
      body: (text) => text.replace('"refresh_token"', '"another"'),
    });
    await expectWholeDay(service);
    expect(service.count('refresh')).toBe(0);
  });

  it('without an answer to refresh or login ends with the login’s error', async () => {
    const { client, sandbox, count } = await startService({
      behaviour: { tokenDiesEvery: 3, refreshRefused: true },
    });
    const body = '{"status":false,"message":"Invalid Signature.","response":null}';
    fault(sandbox, 'login', { kind: 'status', status: 404, body }, { skip: 1, times: Infinity });
    expect((await failureOf(readInvoices(client))).name).toBe('LoginRefusedError');
    expect(count('login', 'refresh')).toBeLessThanOrEqual(4);
  });
});

describe('a refusal', () => {
  it('of a token that never worked is final, after one login', async () => {
    const { client, count } = await startService({ behaviour: { accessRefused: true } });
    expect((await failureOf(readInvoices(client))).name).toBe('ForbiddenError');
    expect([count('login'), count('refresh')]).toEqual([1, 0]);
    expect(count('invoices')).toBeLessThanOrEqual(4);
  });

  it('of all tokens from some moment on is final', async () => {
    const { client, sandbox, count } = await startService({ size: { invoices: 200 } });
    fault(sandbox, 'invoices', REFUSED, { skip: 20, times: Infinity });
    expect((await failureOf(readInvoices(client))).name).toBe('ForbiddenError');
    expect(count('login', 'refresh')).toBeLessThanOrEqual(2);
    expect(count('invoices')).toBeLessThanOrEqual(20 + 3 * 16);
  });

  it('of one page every time, while others succeed, is final after a few tokens', async () => {
    const { client, sandbox, count } = await startService({ size: { invoices: 200 } });
    fault(sandbox, 'invoices', REFUSED, { page: 3, invoiceType: '1', times: Infinity });
    const failure = { name: 'ForbiddenError', operation: 'invoice list (invoiceType 1, page 3)' };
    expect(await failureOf(readInvoices(client))).toMatchObject(failure);
    expect(count('login', 'refresh')).toBeLessThanOrEqual(7);
  });

  it('of one page once is overcome with a new token', async () => {
    const service = await startService();
    fault(service.sandbox, 'invoices', REFUSED, { page: 2, invoiceType: '1' });
    await expectWholeDay(service);
    expect(service.count('login', 'refresh')).toBe(2);
  });

  it('of records that the merchant may not read is final, although it may read others', async () => {
    const { client, sandbox, merchant, count } = await startService();
    await readInvoicePage(client, DAY, '1', 1);
    always(sandbox, 'refund', { ...REFUSED, status: 403 });
    const { ids } = sandbox.data.truth(merchant.merchantCode, DAY).refunds;
    const failures = await Promise.all(ids.map((id) => failureOf(readRefund(client, String(id)))));
    expect(new Set(failures.map(({ name }) => name))).toEqual(new Set(['ForbiddenError']));
    expect(count('login', 'refresh')).toBeLessThanOrEqual(3);
  });
});
