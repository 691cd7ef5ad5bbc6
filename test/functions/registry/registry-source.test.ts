import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RegistrySource } from '#registry/registry-source.ts';
import { merchantSettings } from '#registry/merchants.ts';
import { startAwsSandbox } from '#sandbox/aws/index.ts';
import { defined } from '#support/assertions/defined.ts';
import { matcher } from '#support/assertions/matcher.ts';

const KEY = 'config/eu/merchants.json';
const LAST_GOOD = 'config/last-good/merchants.json';

function text(count: number): string {
  const merchants = Array.from({ length: count }, (_, index) => ({ merchantCode: `M${index}` }));
  return JSON.stringify({ service: { baseUrl: 'https://pay.example.com' }, merchants });
}

async function storage() {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-registry-'));
  const sandbox = await startAwsSandbox({ directory });
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: defined(sandbox.environment['AWS_ENDPOINT_URL_S3']),
    credentials: { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' },
  });
  onTestFinished(async () => {
    client.destroy();
    await sandbox.close();
    await rm(directory, { recursive: true, force: true });
  });
  return {
    faults: sandbox.faults,
    source: () => new RegistrySource(client, 'data', KEY),
    write: (key: string, body: string) => sandbox.s3.write('data', key, body),
    read: async (key: string) => (await sandbox.s3.read('data', key))?.toString(),
    remove: (key: string) => sandbox.s3.remove('data', key),
    /** The operation, key and status of the requests since the last call. */
    requests: () => sandbox.requests.splice(0).map(({ operation, key, status }) => [operation, key, status]),
  };
}

describe('the registry in S3', () => {
  test('is sent and parsed again only when it has changed', async () => {
    const { source, write, requests } = await storage();
    const registry = source();
    await write(KEY, text(3));
    await write(LAST_GOOD, text(3));
    const first = await registry.load();
    expect(requests()).toHaveLength(2);
    const second = await registry.load();
    expect(second.registry).toBe(first.registry);
    expect(requests()).toEqual([['GetObject', KEY, 304]]);
    await write(KEY, text(4));
    expect((await registry.load()).registry.merchants).toHaveLength(4);
  });

  test('is kept as good when accepted, and only if it differs', async () => {
    const { source, write, read, requests } = await storage();
    const registry = source();
    await write(KEY, text(3));
    await registry.load();
    expect(await read(LAST_GOOD)).toBeUndefined();
    await registry.accept();
    expect(await read(LAST_GOOD)).toBe(text(3));
    requests();
    await registry.load();
    await registry.accept();
    expect(requests().filter(([operation]) => operation === 'PutObject')).toEqual([]);
    await write(KEY, text(4));
    await registry.load();
    await registry.accept();
    expect(await read(LAST_GOOD)).toBe(text(4));
  });

  test('is accepted only after it was loaded, and not while the last good one is used', async () => {
    const { source, write, read, requests } = await storage();
    const registry = source();
    await write(KEY, text(1));
    await write(LAST_GOOD, text(10));
    await registry.accept();
    expect(requests()).toEqual([]);
    expect((await registry.load()).alarm).toContain('lacks 9 of the 10');
    await registry.accept();
    expect(await read(LAST_GOOD)).toBe(text(10));
  });

  test.each([
    ['where there was one', text(3)],
    ['where there was none', undefined],
  ])(
    'is never written over a last good copy that appeared since it was loaded, %s',
    async (_case, before) => {
      const { source, write, read } = await storage();
      const registry = source();
      await write(KEY, text(4));
      if (before !== undefined) await write(LAST_GOOD, before);
      await registry.load();
      await write(LAST_GOOD, text(5));
      await registry.accept();
      expect(await read(LAST_GOOD)).toBe(text(5));
    },
  );

  test('is used again when it is repaired', async () => {
    const { source, write, remove } = await storage();
    const registry = source();
    await write(LAST_GOOD, text(2));
    expect(await registry.load()).toMatchObject({
      alarm: matcher(expect.stringContaining(`there is no registry at ${KEY}`)),
    });
    await write(KEY, text(3));
    expect(await registry.load()).toMatchObject({ alarm: null, registry: { merchants: { length: 3 } } });
    await remove(KEY);
    expect(await registry.load()).toMatchObject({ registry: { merchants: { length: 2 } } });
  });

  test.each([
    ['none before', undefined],
    ['one before', text(2)],
  ])(
    'of two runs that accept at once, with %s, the one that loaded earlier does not overwrite the other',
    async (_, before) => {
      const { source, write, read, faults } = await storage();
      if (before !== undefined) await write(LAST_GOOD, before);
      const slow = source();
      await write(KEY, text(3));
      await slow.load();
      await write(KEY, text(4));
      const quick = source();
      faults.add({
        operation: 'PutObject',
        key: /last-good/,
        action: {
          kind: 'call',
          before: async () => {
            await quick.load();
            await quick.accept();
          },
        },
      });
      await slow.accept();
      expect(await read(LAST_GOOD)).toBe(text(4));
    },
  );

  test('a code that is added a second time changes nothing for its merchant, neither now nor when the registry is kept as good', async () => {
    const { source, write, read } = await storage();
    const owner = { merchantCode: 'M0', name: 'owner' };
    const textWith = (merchants: unknown[]) =>
      JSON.stringify({ service: { baseUrl: 'https://pay.example.com' }, merchants });
    await write(LAST_GOOD, textWith([owner, { merchantCode: 'M1' }]));
    await write(
      KEY,
      textWith([
        { merchantCode: 'M0', name: 'intruder' },
        { merchantCode: 'M2' },
        owner,
        { merchantCode: 'M1' },
      ]),
    );
    for (let cold = 0; cold < 3; cold += 1) {
      const registry = source();
      const { registry: loaded, alarm } = await registry.load();
      expect(alarm).toBeNull();
      expect(merchantSettings(loaded, 'M0').name).toBe('owner');
      await registry.accept();
      expect(await read(LAST_GOOD)).toBe(textWith([{ merchantCode: 'M2' }, owner, { merchantCode: 'M1' }]));
    }
    await write(KEY, '{');
    expect(merchantSettings((await source().load()).registry, 'M0').name).toBe('owner');
  });

  test('an S3 that fails is an error, not a missing registry', async () => {
    const { source, write, faults } = await storage();
    await write(LAST_GOOD, text(3));
    faults.add({ key: /eu/, times: 1, action: { kind: 'error', status: 403, code: 'AccessDenied' } });
    await expect(source().load()).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});
