import { describe, expect, it } from 'vitest';
import { readInvoicePage } from '#service/invoices/invoice-list.ts';
import { readRefund } from '#service/refunds/day-refunds.ts';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import type { Behaviour } from '#sandbox/payments/index.ts';
import { DAY, failureOf, startService } from '#support/payments/running-service.ts';
import { entryOf } from '#support/payments/secret-readers.ts';

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
    secret.stored = entryOf(merchant, { accessCode: sandboxMerchant(1).accessCode });
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
