import { describe, expect, test } from 'vitest';
import { RegistrySource } from '#registry/registry-source.ts';
import { awsUnderTest } from '#support/aws-contract/aws-under-test.ts';
import { TARGET, differs } from '#support/aws-contract/known-differences.ts';

const aws = await awsUnderTest();
let files = 0;

function text(count: number): string {
  const merchants = Array.from({ length: count }, (_, index) => ({ merchantCode: `M${index}` }));
  return JSON.stringify({ service: { baseUrl: 'https://pay.example.com' }, merchants });
}

/** A registry of its own, and the key of its last good copy. */
function registry() {
  files += 1;
  const key = `config/registry-${files}.json`;
  const source = () => new RegistrySource(aws.clients.s3, aws.bucket, key);
  return { key, lastGood: `config/last-good/registry-${files}.json`, source };
}

/** Key and status of each read since the last call. */
const reads = () =>
  aws.s3
    .taken()
    .filter(({ method }) => method === 'GET')
    .map(({ key, status }) => `${key} ${status}`)
    .sort();
const puts = () => aws.s3.taken().filter(({ method }) => method === 'PUT');

describe(`the registry, on ${TARGET}`, () => {
  test('is downloaded once for each version, and answered 304 in between', async () => {
    const { key, lastGood, source } = registry();
    await aws.write(key, text(3));
    await aws.write(lastGood, text(3));
    const loaded = source();
    aws.s3.taken();
    const first = await loaded.load();
    expect(reads()).toEqual([`${lastGood} 200`, `${key} 200`]);
    const second = await loaded.load();
    expect(reads()).toEqual([`${key} 304`]);
    expect(second.registry).toBe(first.registry);
    await aws.write(key, text(4));
    aws.s3.taken();
    expect((await loaded.load()).registry.merchants).toHaveLength(4);
    expect(reads()).toEqual([`${lastGood} 304`, `${key} 200`]);
  });

  test('is kept as the last good copy, which is used when the registry is damaged, shrunk or missing', async () => {
    const { key, lastGood, source } = registry();
    await aws.write(key, text(40));
    const loaded = source();
    await loaded.load();
    await loaded.accept();
    expect((await aws.read(lastGood))?.toString()).toBe(text(40));

    for (const spoilt of ['{', text(20)]) {
      await aws.write(key, spoilt);
      const { registry: serving, alarm } = await loaded.load();
      expect(serving.merchants).toHaveLength(40);
      expect(alarm).not.toBeNull();
      await loaded.accept();
    }
    await aws.remove(key);
    expect((await loaded.load()).registry.merchants).toHaveLength(40);
    expect((await aws.read(lastGood))?.toString()).toBe(text(40));

    await aws.write(key, text(41));
    expect(await loaded.load()).toMatchObject({ alarm: null, registry: { merchants: { length: 41 } } });
    await loaded.accept();
    expect((await aws.read(lastGood))?.toString()).toBe(text(41));
  });

  test('is not stored again when it was accepted already', async () => {
    const { key, source } = registry();
    await aws.write(key, text(2));
    const loaded = source();
    await loaded.load();
    await loaded.accept();
    await loaded.load();
    aws.s3.taken();
    await loaded.accept();
    expect(puts()).toEqual([]);
  });

  test.each([
    ['none before', undefined],
    ['one before', text(2)],
  ])('is not replaced as last good copy by a run that read it earlier, with %s', async (_, before) => {
    const { key, lastGood, source } = registry();
    if (before !== undefined) await aws.write(lastGood, before);
    await aws.write(key, text(3));
    const slow = source();
    await slow.load();
    await aws.write(key, text(4));
    const quick = source();
    await quick.load();
    await quick.accept();
    aws.s3.taken();
    await slow.accept();
    expect(puts().map(({ status }) => status)).toEqual([412]);
    expect((await aws.read(lastGood))?.toString()).toBe(text(4));
  });

  test('gives an error when neither it nor a last good copy exists', async () => {
    await expect(registry().source().load()).rejects.toMatchObject({ name: 'RegistryError' });
  });

  test.skipIf(differs('everyBucketExists'))(
    'gives another error when the bucket itself is missing',
    async () => {
      const source = new RegistrySource(aws.clients.s3, `${aws.bucket}-nowhere`, 'config/merchants.json');
      await expect(source.load()).rejects.toMatchObject({ name: 'StorageError', code: 'NoSuchBucket' });
    },
  );
});
