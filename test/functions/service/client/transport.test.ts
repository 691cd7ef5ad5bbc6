import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import https from 'node:https';
import net, { type Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { PaymentsFaultAction } from '#sandbox/payments/index.ts';
import { readInvoicePage } from '#service/invoices/invoice-list.ts';
import {
  always,
  DAY,
  expectWholeDay,
  failureOf,
  fault,
  readInvoices,
  startService,
  serviceAt,
} from '#support/payments/running-service.ts';
import { listening } from '#support/machine.ts';

/** Of a key pair for these tests only, which nobody trusts. */
const tlsFile = (name: string) => readFileSync(join(import.meta.dirname, '../../../fixtures/tls', name));

describe('a pull survives', () => {
  it.each<[string, PaymentsFaultAction]>([
    ['resets', { kind: 'reset' }],
    ['a reset after the work was done', { kind: 'reset', when: 'after' }],
    ['half bodies', { kind: 'half-body' }],
    ['incomplete JSON', { kind: 'cut-json' }],
    ['a page of HTML under HTTP 502', { kind: 'html' }],
    ['a page of HTML under HTTP 200', { kind: 'html', status: 200 }],
    ['an empty body', { kind: 'status', status: 200 }],
    ['a late answer', { kind: 'delay', milliseconds: 30 }],
  ])('%s', async (_what, action) => {
    const service = await startService();
    fault(service.sandbox, ['login', 'invoices'], action, { times: 2 });
    fault(service.sandbox, 'invoices', action, { page: 2 });
    await expectWholeDay(service);
  });

  it.each<[string, PaymentsFaultAction]>([
    ['gzip', { kind: 'gzip' }],
    ['a slow drip', { kind: 'drip', bytes: 4_000, everyMilliseconds: 1 }],
    ['text/html as content type', { kind: 'content-type', value: 'text/html; charset=utf-8' }],
    ['an unknown content type', { kind: 'content-type', value: 'canary' }],
  ])('answers with %s do not need a second request', async (_what, action) => {
    const service = await startService();
    service.sandbox.behaviour.faults.add({ times: Infinity, action });
    await expectWholeDay(service);
    expect(service.clock.waits).toEqual([]);
  });

  it('requests without an answer, by its own time-out', async () => {
    const service = await startService({ client: { requestTimeout: 1_000 } });
    fault(service.sandbox, 'invoices', { kind: 'hang' }, { times: 2 });
    await expectWholeDay(service);
    expect(service.clock.waits.length).toBeGreaterThanOrEqual(2);
  });
});

it('a service that does not exist causes a ConnectionError with the system’s code', async () => {
  const { clientWith, sandbox } = await startService();
  const client = clientWith({ retry: { firstDelay: 10, longestDelay: 10, budget: 30 } });
  await sandbox.close();
  expect(await failureOf(readInvoicePage(client, DAY, '1', 1))).toMatchObject({
    name: 'ConnectionError',
    code: 'ECONNREFUSED',
    operation: 'login',
  });
});

it('an answer that is not a page is ended if it is larger than 8 MiB unpacked, or states no length', async () => {
  const megabyte = Buffer.alloc(1_048_576, ' ');
  const bomb = gzipSync(Buffer.concat(Array<Buffer>(9).fill(megabyte)));
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/api/v1/login') === true) {
      response.end('{"status":true,"response":{"token":{"access_token":"t"}}}');
    } else if (request.url?.includes('page=1&') === true) {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    } else {
      let left = 10;
      const more = (): void => {
        left -= 1;
        if (left > 0) response.write(megabyte, more);
        else response.end();
      };
      more();
    }
  });
  const { clientWith } = await startService();
  const origin = `http://${await listening(server)}`;
  const client = clientWith(serviceAt(origin));
  for (const page of [1, 2]) {
    expect((await failureOf(readInvoicePage(client, DAY, '1', page))).name).toBe('AnswerTooLargeError');
  }
});

it.each([301, 302, 303, 307, 308])('redirects of HTTP %d are never followed', async (status) => {
  const { clientWith, sandbox, clock } = await startService();
  const seen: string[] = [];
  const elsewhere = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.end('{}');
  });
  const location = `http://${await listening(elsewhere)}`;
  for (const operation of ['login', 'invoices'] as const) {
    sandbox.behaviour.faults.clear();
    always(sandbox, operation, { kind: 'redirect', location, status });
    const error = await failureOf(readInvoicePage(clientWith({}), DAY, '1', 1));
    expect(error).toMatchObject({ name: 'RedirectError', status });
    expect(error.message).not.toContain(location);
  }
  expect(seen).toEqual([]);
  expect(clock.waits).toEqual([]);
});

describe('connections', () => {
  it('are kept open and used again', async () => {
    const service = await startService({ size: { invoices: 200 } });
    const sockets = new Set<Socket>();
    let connections = 0;
    const relay = net.createServer((near) => {
      connections += 1;
      const far = net.connect(Number(new URL(service.sandbox.origin).port), '127.0.0.1');
      for (const [from, to] of [[near, far] as const, [far, near] as const]) {
        sockets.add(from);
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
        from.pipe(to);
      }
    });
    const origin = `http://${await listening(relay)}`;
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    const client = service.clientWith({ ...serviceAt(origin), maxConcurrency: 4 });
    expect(await readInvoices(client)).toHaveLength(200);
    expect(service.count('invoices')).toBeGreaterThan(35);
    expect(connections).toBeLessThanOrEqual(6);
  });

  it('are made only to the allowed origins', async () => {
    const { clientWith, sandbox } = await startService();
    const others = ['https://pay.example.com', sandbox.origin.replace('127.0.0.1', 'localhost')];
    for (const allowedOrigins of [[], ...others.map((origin) => [origin])])
      expect(() => clientWith({ allowedOrigins })).toThrow(
        expect.objectContaining({ name: 'ForbiddenOriginError' }),
      );
  });
});

describe('the deadline of the pull', () => {
  it('that is over is a DeadlineError, and no request is made', async () => {
    const { clientWith, clock, sandbox } = await startService();
    const client = clientWith({ deadline: clock.time });
    expect((await failureOf(readInvoices(client))).name).toBe('DeadlineError');
    expect(sandbox.requests).toEqual([]);
  });

  it('ends a pull that has begun', async () => {
    const { clientWith, clock, sandbox, count } = await startService({ size: { invoices: 200 } });
    const client = clientWith({ deadline: clock.time + 60_000 });
    fault(sandbox, 'invoices', { kind: 'call', before: () => void (clock.time += 60_000) }, { skip: 10 });
    expect((await failureOf(readInvoices(client))).name).toBe('DeadlineError');
    expect(count('invoices')).toBeLessThanOrEqual(11 + 16);
  });
});

it('close ends the wait before a retry', async () => {
  const { clientWith, sandbox } = await startService();
  always(sandbox, 'invoices', { kind: 'status', status: 503 });
  const client = clientWith({
    sleep: (_milliseconds, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('woken')));
        client.close();
      }),
  });
  expect((await failureOf(readInvoicePage(client, DAY, '1', 1))).message).toBe('woken');
});

it('a service with an untrusted certificate gets no data, and no second request', async () => {
  const seen: string[] = [];
  const cert = tlsFile('self-signed.crt');
  const server = https.createServer({ key: tlsFile('self-signed.key'), cert }, (incoming, response) => {
    seen.push(incoming.url ?? '');
    response.end('{}');
  });
  const origin = `https://${await listening(server)}`;

  const { clientWith, clock } = await startService();
  const error = await failureOf(readInvoicePage(clientWith(serviceAt(origin)), DAY, '1', 1));
  expect(error).toMatchObject({ name: 'ConnectionError', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect(clock.waits).toEqual([]);
  expect(seen).toEqual([]);

  // A client that trusts the certificate gets an answer.
  await new Promise<void>((resolve, reject) => {
    https
      .request(`${origin}/trusted`, { ca: cert }, (answer) => answer.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
  expect(seen).toEqual(['/trusted']);
});
