import { describe, expect, it } from 'vitest';
import { readInvoicePage } from '#service/invoices/invoice-list.ts';
import { readRefund } from '#service/refunds/day-refunds.ts';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import type { Behaviour } from '#sandbox/payments/index.ts';
import { DAY, failureOf, startService } from '#support/payments/running-service.ts';
import { credentialsOf } from '#support/payments/secret-readers.ts';
import { membersOf } from '#support/assertions/members.ts';

/** Every form in which the service may write its error bodies. */
const WRITINGS: [string, Partial<Behaviour>][] = [
  ['plain, with the HTTP status of the case', { errorAnswers: 'plain', errorStatus: 'http' }],
  ['plain, under HTTP 200', { errorAnswers: 'plain', errorStatus: 200 }],
  ['encrypted, with the HTTP status of the case', { errorAnswers: 'encrypted', errorStatus: 'http' }],
  ['encrypted, under HTTP 200', { errorAnswers: 'encrypted', errorStatus: 200 }],
];

describe.each(WRITINGS)('error bodies, %s', (_what, behaviour) => {
  it('"Forbidden Access" is a ForbiddenError', async () => {
    const { client } = await startService({ behaviour: { ...behaviour, accessRefused: true } });
    const error = await failureOf(readInvoicePage(client, DAY, '1', 1));
    expect(error.name).toBe('ForbiddenError');
    expect(error).toMatchObject({ operation: 'invoice list (invoiceType 1, page 1)' });
  });

  it('"Forbidden Access" is the answer to a wrong access code', async () => {
    const { clientWith, secret, merchant, count } = await startService({ behaviour });
    secret.stored = {
      current: credentialsOf(merchant, { accessCode: sandboxMerchant(1).accessCode }),
      previous: undefined,
    };
    const error = await failureOf(readInvoicePage(clientWith({}), DAY, '1', 1));
    // If error bodies are encrypted, this one is encrypted with the other merchant's key.
    expect(error.name).toBe(behaviour.errorAnswers === 'plain' ? 'ForbiddenError' : 'CipherError');
    expect(count('login', 'refresh', 'invoices')).toBe(2);
  });

  it('"Request not found" of a refund is undefined', async () => {
    const { client } = await startService({ behaviour });
    expect(await readRefund(client, '99')).toBeUndefined();
  });

  it('"Invalid Request Data" is an InvalidRequestError', async () => {
    const { client } = await startService({ behaviour });
    const error = await failureOf(readInvoicePage(client, 'no day', '1', 1));
    expect(error.name).toBe('InvalidRequestError');
    expect(error.message).toContain('506');
  });

  it('"Invalid Signature." at login is a LoginRefusedError', async () => {
    const { client } = await startService({ behaviour: { ...behaviour, loginRefused: true } });
    expect((await failureOf(readInvoicePage(client, DAY, '1', 1))).name).toBe('LoginRefusedError');
  });
});

describe('"Internal server error occurred"', () => {
  it.each([200, 500] as const)('under HTTP %d is retried', async (status) => {
    const { client, sandbox, clock } = await startService();
    sandbox.behaviour.faults.add({
      operation: 'invoices',
      times: 2,
      action: { kind: 'server-error', status },
    });
    expect((await readInvoicePage(client, DAY, '1', 1)).invoices).toHaveLength(5);
    expect(clock.waits).toHaveLength(2);
  });

  it.each([200, 500] as const)('without end under HTTP %d is a ServerError', async (status) => {
    const { client, sandbox } = await startService();
    sandbox.behaviour.faults.add({
      operation: 'invoices',
      times: Infinity,
      action: { kind: 'server-error', status },
    });
    expect((await failureOf(readInvoicePage(client, DAY, '1', 1))).name).toBe('ServerError');
  });
});

describe('answers without an error body', () => {
  it.each([
    [400, 'RefusedError'],
    [401, 'ForbiddenError'],
    [403, 'ForbiddenError'],
    [404, 'NotFoundError'],
    [405, 'RefusedError'],
    [408, 'ServerError'],
    [422, 'RefusedError'],
    [429, 'RateLimitedError'],
    [500, 'ServerError'],
    [502, 'ServerError'],
    [503, 'ServerError'],
    [504, 'ServerError'],
  ])('of HTTP %d are a %s', async (status, name) => {
    const { client, sandbox } = await startService();
    for (const body of ['', '<html>', '{}', '[]', '{"detail":"no"}', 'null', '7', '"x"']) {
      sandbox.behaviour.faults.clear();
      sandbox.behaviour.faults.add({
        operation: 'invoices',
        times: Infinity,
        action: { kind: 'status', status, body },
      });
      const error = await failureOf(readInvoicePage(client, DAY, '1', 1));
      expect({ name: error.name, status: membersOf(error)['status'] }, body).toEqual({
        name,
        status,
      });
    }
  });

  it('that refuse in other words under HTTP 200 are a RefusedError, which does not repeat them', async () => {
    const { client, sandbox } = await startService();
    const body = '{"status":false,"message":"canary","response":null}';
    sandbox.behaviour.faults.add({ operation: 'invoices', action: { kind: 'status', status: 200, body } });
    const error = await failureOf(readInvoicePage(client, DAY, '1', 1));
    expect(error.name).toBe('RefusedError');
    expect(error.message).not.toContain('canary');
  });

  it('that refuse in other words under another HTTP status are the error of that status', async () => {
    const { client, sandbox, clock } = await startService();
    const body = '{"status":false,"message":"busy","response":null}';
    sandbox.behaviour.faults.add({ operation: 'invoices', action: { kind: 'status', status: 503, body } });
    expect((await readInvoicePage(client, DAY, '1', 1)).page).toBe(1);
    expect(clock.waits).toHaveLength(1);
  });

  it('with a successful body under HTTP 500 count as successful', async () => {
    const { client, sandbox } = await startService();
    sandbox.behaviour.faults.add({
      operation: 'invoices',
      action: { kind: 'replace', status: 500, body: (text) => text },
    });
    expect((await readInvoicePage(client, DAY, '1', 1)).page).toBe(1);
  });
});
