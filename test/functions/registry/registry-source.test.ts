import { RegistrySource } from '#registry/registry-source.ts';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { registryText as textWith } from '#support/plan/running-plan.ts';

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

test('an S3 that fails is an error, not a missing registry', async () => {
  const { source, write, faults } = await storage();
  await write(LAST_GOOD, text(3));
  faults.add({ key: /eu/, times: 1, action: { kind: 'error', status: 403, code: 'AccessDenied' } });
  await expect(source().load()).rejects.toMatchObject({ name: 'AccessDenied' });
});
