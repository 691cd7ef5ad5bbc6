import { createServer, get } from 'node:http';
import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  sandboxMerchant,
  startPaymentsSandbox,
  type PaymentsFaultAction,
  type PaymentsSandbox,
} from '#sandbox/payments/index.ts';
import { signIn, tokenOf, type SignedInClient } from '#support/payments/signed-in-client.ts';
import { portOf } from '#sandbox/ports.ts';
import { responseTo } from '#support/assertions/response-to.ts';
import { buffer } from 'node:stream/consumers';
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

  it('to one request by default', async () => {
    strike({ kind: 'status', status: 503 });
    expect(await statuses([1, 1])).toEqual([503, 200]);
    expect(sandbox.requests.slice(-2).map(({ fault }) => fault)).toEqual(['status', undefined]);
  });

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
  it('status gives that status, with Retry-After in seconds, as a date, or not at all', async () => {
    strike({ kind: 'status', status: 429, retryAfter: 2, body: 'slow', headers: { 'x-limit': '9' } });
    const seconds = await client.fetch(LIST);
    expect([seconds.status, seconds.headers.get('retry-after'), seconds.headers.get('x-limit')]).toEqual([
      429,
      '2',
      '9',
    ]);
    expect(await seconds.text()).toBe('slow');
    strike({ kind: 'status', status: 503, retryAfter: new Date('2026-11-21T03:00:00Z') });
    expect((await client.fetch(LIST)).headers.get('retry-after')).toBe('Sat, 21 Nov 2026 03:00:00 GMT');
    strike({ kind: 'status', status: 429 });
    expect((await client.fetch(LIST)).headers.get('retry-after')).toBeNull();
  });

  it.each([200, 500] as const)('server-error gives the error of the contract under %s', async (status) => {
    strike({ kind: 'server-error', status });
    const answer = await client.fetch(LIST);
    expect([answer.status, await answer.text()]).toEqual([
      status,
      '{"message":"Internal server error occurred"}',
    ]);
  });

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

  it('half-body gives the headers and half of the body, then a reset', async () => {
    strike({ kind: 'half-body' });
    const answer = await client.fetch(LIST, range);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow(TypeError);
  });

  it('cut-json gives half of the body with a matching content-length', async () => {
    const whole = await (await client.fetch(LIST, range)).text();
    strike({ kind: 'cut-json' });
    const answer = await client.fetch(LIST, range);
    const text = await answer.text();
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(whole.startsWith(text.slice(0, 1000))).toBe(true);
    expect(() => void JSON.parse(text)).toThrow(SyntaxError);
  });

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

  it('drip gives the whole body slowly', async () => {
    const whole = await (await client.fetch(LIST, range)).text();
    strike({ kind: 'drip', bytes: Math.ceil(Buffer.byteLength(whole) / 4), everyMilliseconds: 40 });
    const started = performance.now();
    expect(await (await client.fetch(LIST, range)).text()).toBe(whole);
    expect(performance.now() - started).toBeGreaterThanOrEqual(110);
  });

  it('html gives a page of HTML under a status', async () => {
    strike({ kind: 'html', status: 200 });
    const answer = await client.fetch(LIST);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await answer.text()).toMatch(/^<!DOCTYPE html>/);
    strike({ kind: 'html' });
    expect((await client.fetch(LIST)).status).toBe(502);
  });

  it('redirect leads to another origin, which gets the request', async () => {
    let heard = 0;
    const elsewhere = createServer((_request, response) => {
      heard += 1;
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const location = `http://127.0.0.1:${portOf(elsewhere)}/api/v1/invoice-dashboard`;
    strike({ kind: 'redirect', location });
    const answer = await client.fetch(LIST, {}, {}, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location'), heard]).toEqual([302, location, 0]);
    strike({ kind: 'redirect', location, status: 307 });
    await client.fetch(LIST);
    expect(heard).toBe(1);
    elsewhere.closeAllConnections();
    elsewhere.close();
    await once(elsewhere, 'close');
  });

  it('gzip gives the right body, compressed', async () => {
    const whole = await (await client.fetch(LIST, range)).text();
    strike({ kind: 'gzip' });
    expect(await (await client.fetch(LIST, range)).text()).toBe(whole);
    strike({ kind: 'gzip' });
    const message = await responseTo(get(sandbox.origin + LIST));
    expect(message.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(await buffer(message)).toString('utf8')).toContain('"Forbidden Access"');
  });

  it('content-type gives the right body under another content type', async () => {
    const whole = await (await client.fetch(LIST, range)).text();
    strike({ kind: 'content-type', value: 'text/plain' });
    const answer = await client.fetch(LIST, range);
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['text/plain', whole]);
  });

  it('large and deep give a well-formed body that is too large or too deep', async () => {
    strike({ kind: 'large', megabytes: 3 });
    const large = await (await client.fetch(LIST)).text();
    expect(large.length).toBe(3 * 1_048_576);
    expect(JSON.parse(large)).toMatchObject({ status: true, response: null });
    strike({ kind: 'deep', levels: 5_000 });
    expect(await (await client.fetch(LIST)).text()).toBe('['.repeat(5_000) + ']'.repeat(5_000));
  });

  it('replace gives a body made from the right one, as text or bytes', async () => {
    strike({ kind: 'replace', body: (original, { page }) => `${page}${original.slice(0, 8)}`, status: 201 });
    const text = await client.fetch(LIST, { page: 2 });
    expect([text.status, await text.text()]).toEqual([201, '2{"status']);
    strike({ kind: 'replace', body: () => Buffer.from([0x22, 0xff, 0x22]) });
    expect(Buffer.from(await (await client.fetch(LIST)).arrayBuffer()).toString('hex')).toBe('22ff22');
  });

  it('delay gives the right answer later', async () => {
    strike({ kind: 'delay', milliseconds: 120 });
    const started = performance.now();
    expect((await client.invoices(range)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(115);
  });

  it('call runs hooks that the request waits for', async () => {
    const insert = (): void => void sandbox.data.insertInvoice(code, DAY);
    strike({ kind: 'call', before: insert, after: () => Promise.resolve().then(insert) });
    expect((await client.invoices(range)).body).toMatchObject({
      response: { invoices: { pagination: { total: 41 } } },
    });
    expect(sandbox.data.truth(code, DAY).invoices.count).toBe(42);
  });

  it('any also applies to login and refresh', async () => {
    sandbox.behaviour.faults.add({ operation: 'login', merchantCode: code, action: { kind: 'reset' } });
    sandbox.behaviour.faults.add({
      operation: 'refresh',
      merchantCode: code,
      action: { kind: 'server-error', status: 500 },
    });
    await expect(tokenOf(sandbox, merchant)).rejects.toThrow(TypeError);
    const body = JSON.stringify({ refreshToken: client.token.refresh_token });
    const answer = await fetch(`${sandbox.origin}/api/v1/token-refresh`, { method: 'POST', body });
    expect(answer.status).toBe(500);
    expect((await tokenOf(sandbox, merchant)).expires_in).toBe(900);
  });
});
