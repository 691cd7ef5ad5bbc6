import { describe, expect, test } from 'vitest';
import { RegistrySource } from '#registry/registry-source.ts';
import { merchantSettings } from '#registry/merchants.ts';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { registryText as textWith } from '#support/plan/merchants.ts';

const KEY = 'config/eu/merchants.json';
const LAST_GOOD = 'config/last-good/merchants.json';

function text(count: number): string {
  return textWith(Array.from({ length: count }, (_, index) => ({ merchantCode: `M${index}` })));
}

async function storage() {
  const { clients, faults, requests, s3 } = await runSandbox();
  return {
    faults,
    requests,
    source: () => new RegistrySource(clients.s3, 'data', KEY),
    write: (key: string, body: string) => s3.write('data', key, body),
    read: async (key: string) => (await s3.read('data', key))?.toString(),
  };
}

/** What is the same on AWS and on moto is in test/contract/aws/registry.test.ts. */
describe('the registry in S3', () => {
  test('is accepted only after it was loaded, and not while the last good one is used', async () => {
    const { source, write, read, requests } = await storage();
    const registry = source();
    await write(KEY, text(1));
    await write(LAST_GOOD, text(10));
    await registry.accept();
    expect(requests).toEqual([]);
    expect((await registry.load()).alarm).toContain('lacks 9 of the 10');
    await registry.accept();
    expect(await read(LAST_GOOD)).toBe(text(10));
  });

  test('a code that is added a second time changes nothing for its merchant, neither now nor when the registry is kept as good', async () => {
    const { source, write, read } = await storage();
    const owner = { merchantCode: 'M0', name: 'owner' };
    const [intruder, M1, M2] = [
      { ...owner, name: 'intruder' },
      { merchantCode: 'M1' },
      { merchantCode: 'M2' },
    ];
    await write(LAST_GOOD, textWith([owner, M1]));
    await write(KEY, textWith([intruder, M2, owner, M1]));
    for (let cold = 0; cold < 3; cold += 1) {
      const registry = source();
      const { registry: loaded, alarm } = await registry.load();
      expect(alarm).toBeNull();
      expect(merchantSettings(loaded, 'M0').name).toBe('owner');
      await registry.accept();
      expect(await read(LAST_GOOD)).toBe(textWith([M2, owner, M1]));
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
