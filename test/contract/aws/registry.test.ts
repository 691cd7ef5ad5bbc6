import { RegistrySource } from '#registry/registry-source.ts';
import { awsUnderTest } from '#support/aws-contract/aws-under-test.ts';
import { TARGET, differs } from '#support/aws-contract/known-differences.ts';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { SecretCache } from '#service/authentication/secrets-manager-reader.ts';

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

const CODE = '700001';
let names = 0;

/** A new secret, whose password is `first`. */
async function newSecret() {
  names += 1;
  const name = `daybook/${aws.mark}/${names}`;
  const put = (password: string, code = CODE) => aws.putSecret(name, secret(password, code));
  await put('first');
  return { name, put, reader: readerOf(name) };
}

function secret(password: string, code = CODE): string {
  const cipher = { algorithm: 'aes-256-cbc', key: 'k'.repeat(32), iv: 'i'.repeat(16) };
  return JSON.stringify({
    merchants: { [code]: { accessCode: 'code', cipher, username: 'user', password } },
  });
}

function readerOf(name: string) {
  return new SecretCache(aws.clients.secretsManager, () => Date.now()).reader(name, CODE);
}

describe(`secrets, on ${TARGET}`, () => {
  test('have no earlier version before the first rotation', async () => {
    const { reader } = await newSecret();
    expect(await reader.current(false)).toMatchObject({ current: { password: 'first' } });
    expect(await reader.beforeRotation()).toBeUndefined();
  });

  test('show a rotation when the cache is bypassed, and the earlier value under AWSPREVIOUS', async () => {
    const { put, reader } = await newSecret();
    await reader.current(false);
    await put('second');
    aws.secretsManager.taken();
    expect(await reader.current(false)).toMatchObject({ current: { password: 'first' } });
    expect(aws.secretsManager.taken()).toEqual([]);
    expect(await reader.current(true)).toMatchObject({ current: { password: 'second' } });
    expect(await reader.beforeRotation()).toMatchObject({ current: { password: 'first' } });
    await put('third');
    expect(await reader.current(true)).toMatchObject({ current: { password: 'third' } });
    expect(await reader.beforeRotation()).toMatchObject({ current: { password: 'second' } });
  });

  test('are read once an hour, and sooner for an entry that may have been mended', async () => {
    const { name, put } = await newSecret();
    let now = Date.now();
    const cache = new SecretCache(aws.clients.secretsManager, () => now);
    const passwordAfter = async (minutes: number, code = CODE) => {
      now += minutes * 60_000;
      return (await cache.reader(name, code).current(false)).current.password;
    };
    expect(await passwordAfter(0)).toBe('first');
    await put('second');
    expect(await passwordAfter(4)).toBe('first');
    await expect(passwordAfter(0, 'another')).rejects.toMatchObject({ name: 'SecretError' });
    expect(await passwordAfter(0)).toBe('first');
    await put('third', 'another');
    expect(await passwordAfter(2, 'another')).toBe('third');
    await put('fourth');
    await expect(passwordAfter(4)).rejects.toMatchObject({ name: 'SecretError' });
    expect(await passwordAfter(1)).toBe('fourth');
    await put('fifth');
    expect(await passwordAfter(59)).toBe('fourth');
    expect(await passwordAfter(1)).toBe('fifth');
  });

  test('are named in the error when they do not exist', async () => {
    const name = `daybook/${aws.mark}/nowhere`;
    await expect(readerOf(name).current(false)).rejects.toMatchObject({
      name: 'SecretError',
      message: `secret ${name}: does not exist`,
    });
    expect(await readerOf(name).beforeRotation()).toBeUndefined();
  });

  test('are requested again when an answer is lost', async () => {
    const { reader } = await newSecret();
    aws.secretsManager.loseAnswer(() => true);
    expect(await reader.current(false)).toMatchObject({ current: { password: 'first' } });
  });

  test('are replaced only in the version that was read', async () => {
    const { name, reader } = await newSecret();
    const { secretsManager } = aws.clients;
    const { VersionId: first } = await secretsManager.send(new GetSecretValueCommand({ SecretId: name }));
    const edit = { SecretId: name, VersionStages: ['DAYBOOK_EDIT'] };
    const put = (password: string) =>
      secretsManager.send(new PutSecretValueCommand({ ...edit, SecretString: secret(password) }));
    const present = { SecretId: name, VersionStage: 'AWSCURRENT', RemoveFromVersionId: first };
    const moved = (to: string | undefined) =>
      secretsManager.send(new UpdateSecretVersionStageCommand({ ...present, MoveToVersionId: to }));
    const [mine, theirs] = [await put('mine'), await put('theirs')];
    expect(await reader.current(true)).toMatchObject({ current: { password: 'first' } });
    await moved(theirs.VersionId);
    expect(await reader.current(true)).toMatchObject({ current: { password: 'theirs' } });
    expect(await reader.beforeRotation()).toMatchObject({ current: { password: 'first' } });
    await expect(moved(mine.VersionId)).rejects.toMatchObject({ name: 'InvalidParameterException' });
    expect(await reader.current(true)).toMatchObject({ current: { password: 'theirs' } });
  });
});
