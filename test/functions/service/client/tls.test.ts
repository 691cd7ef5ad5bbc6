import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import { join } from 'node:path';
import { onTestFinished, expect, it } from 'vitest';
import { readInvoicePage } from '#service/invoices/invoice-list.ts';
import { DAY, failureOf, startService } from '#support/payments/running-service.ts';
import { portOf } from '#support/servers/port-of.ts';

/** A key pair for these tests only, which nobody trusts. */
const FIXTURES = join(import.meta.dirname, '../../../fixtures/tls');
const key = readFileSync(join(FIXTURES, 'self-signed.key'));
const cert = readFileSync(join(FIXTURES, 'self-signed.crt'));

it('a service with an untrusted certificate gets no data, and no second request', async () => {
  const seen: string[] = [];
  const server = createServer({ key, cert }, (incoming, response) => {
    seen.push(incoming.url ?? '');
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const port = portOf(server);
  const origin = `https://127.0.0.1:${port}`;

  const { clientWith, clock } = await startService();
  const client = clientWith({
    service: { baseUrl: origin, loginPath: '/login', refreshPath: '/refresh', refundListPath: '/refunds/' },
    allowedOrigins: [origin],
  });
  const error = await failureOf(readInvoicePage(client, DAY, '1', 1));
  expect(error).toMatchObject({ name: 'ConnectionError', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect(clock.waits).toEqual([]);
  expect(seen).toEqual([]);

  // A client that trusts the certificate gets an answer.
  await new Promise<void>((resolve, reject) => {
    request(`${origin}/trusted`, { ca: cert }, (answer) => answer.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
  expect(seen).toEqual(['/trusted']);
});
