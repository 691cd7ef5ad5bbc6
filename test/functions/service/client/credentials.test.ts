import { describe, expect, it } from 'vitest';
import { SecretError } from '#service/authentication/credentials.ts';
import { readInvoicePage } from '#service/invoices/invoice-list.ts';
import { readRefund } from '#service/refunds/day-refunds.ts';
import type { SandboxCipher } from '#sandbox/payments/index.ts';
import {
  DAY,
  failureOf,
  idsOf,
  readInvoices,
  startService,
  always,
  fault,
  expectWholeDay,
} from '#support/payments/running-service.ts';
import type { RunningService, ServiceOptions } from '#support/payments/running-service.ts';
import { entryOf } from '#support/payments/secret-readers.ts';

const ROTATED: SandboxCipher = { algorithm: 'aes-256-cbc', key: 'r'.repeat(32), iv: 's'.repeat(16) };
const WRONG: SandboxCipher = { algorithm: 'aes-256-cbc', key: 'w'.repeat(32), iv: 'w'.repeat(16) };

/** A service with a new key of the merchant. The cache still has the old key. */
async function rotatedService(options: ServiceOptions = {}): Promise<RunningService> {
  const service = await startService(options);
  service.sandbox.rotate(service.merchant.merchantCode, ROTATED);
  service.secret.cached = entryOf(service.merchant);
  return service;
}

describe('a refused login', () => {
  it('is one clear error after one request', async () => {
    const { client, count, secret } = await startService({ behaviour: { loginRefused: true } });
    const error = await failureOf(readInvoices(client));
    expect(error).toMatchObject({ name: 'LoginRefusedError', operation: 'login' });
    expect(error.message).toBe('login: the service refuses the login');
    expect(count('login')).toBe(1);
    expect(count('invoices', 'refresh')).toBe(0);
    expect(secret.reads.filter((read) => read === 'fresh')).toHaveLength(1);
  });

  it.each([
    ['401 without a body', { kind: 'status', status: 401 } as const],
    [
      '"Forbidden Access"',
      {
        kind: 'status',
        status: 200,
        body: '{"status":false,"message":"Forbidden Access","response":null}',
      } as const,
    ],
  ])('can have the form of %s', async (_what, action) => {
    const { client, sandbox } = await startService();
    always(sandbox, 'login', action);
    expect((await failureOf(readInvoicePage(client, DAY, '1', 1))).name).toBe('LoginRefusedError');
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
    const { client, count, secret, merchant, sandbox, clientWith } = await startService();
    let token = '';
    fault(sandbox, 'login', {
      kind: 'replace',
      body: (text) => {
        token = /"access_token":"([^"]+)"/.exec(text)?.[1] ?? '';
        return text;
      },
    });
    await readInvoicePage(client, DAY, '1', 1);
    const { accessCode, cipher } = merchant;
    secret.stored = { current: { accessCode, cipher, accessToken: token }, previous: undefined };
    expect(idsOf(await readInvoices(clientWith({})))).toHaveLength(40);
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

describe('a wrong key', () => {
  it('is a CipherError if the answers do not decrypt', async () => {
    const { client, sandbox, merchant } = await startService();
    const answer = {
      kind: 'replace',
      status: 200,
      body: () => JSON.stringify({ response: 'ab'.repeat(32) }),
    } as const;
    always(sandbox, 'refund', answer);
    const [id] = sandbox.data.truth(merchant.merchantCode, DAY).refunds.ids;
    const error = await failureOf(readRefund(client, String(id)));
    expect(error.name).toBe('CipherError');
    expect(error.message).toContain(`refund details (id ${id ?? ''})`);
  });

  it('is a CipherError if error bodies come encrypted', async () => {
    const { client, secret, merchant } = await startService({ behaviour: { errorAnswers: 'encrypted' } });
    secret.stored = entryOf(merchant, { cipher: WRONG });
    expect((await failureOf(readInvoices(client))).name).toBe('CipherError');
  });
});

describe('a key that was rotated', () => {
  it.each(['plain', 'encrypted'] as const)(
    'is read again once, not from the cache (%s errors)',
    async (errorAnswers) => {
      const service = await rotatedService({ behaviour: { errorAnswers, invoiceAnswers: 'encrypted' } });
      service.secret.stored = entryOf(service.merchant, { cipher: ROTATED });
      await expectWholeDay(service);
      expect(service.secret.reads.filter((read) => read !== 'cached')).toEqual(['fresh']);
      expect(service.count('login')).toBe(2);
    },
  );

  it('fails with the first error if the secret cannot be read again', async () => {
    const service = await rotatedService();
    service.secret.failure = new SecretError('secret s: cannot be read');
    expect((await failureOf(readInvoices(service.client))).name).toBe('InvalidRequestError');
  });
});

it('a secret that cannot be read causes its own error, and no request to the service', async () => {
  const { clientWith, count } = await startService();
  const failure = new SecretError('secret daybook/merchants: has no merchant 700001');
  const secret = { current: () => Promise.reject(failure), beforeRotation: () => Promise.reject(failure) };
  expect(await failureOf(readInvoices(clientWith({ secret })))).toBe(failure);
  expect(count('login', 'invoices')).toBe(0);
});
