import { access, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { keyOfPath, pathBesideDirectory, pathOfKey } from '#sandbox/aws/s3/files/object-files.ts';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { defined } from '#support/assertions/defined.ts';
import { ANY_CHARACTER } from '#support/fuzz/any-character.ts';

const Bucket = 'data';

const awkwardKeys = [
  '../outside',
  '../../../../tmp/outside',
  'a/../../outside',
  '/etc/passwd',
  '..',
  '.',
  'a/./b',
  'a//b',
  '//',
  'a/',
  'day=2026-11-20/with space +plus&and?query#hash.json',
  'é/日本/\u{1f600}',
  '50%.txt',
  '%2E%2E/%2e%2e/outside',
  'back\\slash',
  'nul\u0000byte',
  'line\nbreak',
  `${'long'.repeat(100)}/${'é'.repeat(200)}`,
  'x'.repeat(1024),
];

test.each(awkwardKeys)(
  'the key %j is written, read, listed and deleted inside the directory',
  async (Key) => {
    const { clients, directory, s3 } = await runSandbox();
    await clients.s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
    const got = await clients.s3.send(new GetObjectCommand({ Bucket, Key }));
    expect(await defined(got.Body).transformToString()).toBe(Key);
    const list = new ListObjectsV2Command({ Bucket, EncodingType: 'url' });
    const { Contents } = await clients.s3.send(list);
    expect(
      defined(Contents).map((entry) => decodeURIComponent(defined(entry.Key).replaceAll('+', ' '))),
    ).toEqual([Key]);
    expect(await regularFiles(join(directory, 's3'))).toHaveLength(1);
    expect(await readdir(directory)).toEqual(['.s3-meta', 'mail', 'queues', 's3']);
    await clients.s3.send(new DeleteObjectCommand({ Bucket, Key }));
    expect(s3.list(Bucket)).toEqual([]);
    expect(await regularFiles(join(directory, 's3'))).toEqual([]);
  },
);

test('an ordinary key is exactly its path', async () => {
  const { clients, directory } = await runSandbox();
  const Key = 'days/day=2026-11-20/merchant=700001/r0001.json';
  await clients.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'sealed' }));
  expect(await readFile(join(directory, 's3', Bucket, Key), 'utf8')).toBe('sealed');
});

test('a key may be the beginning of another key, whichever was written first', async () => {
  const { s3 } = await runSandbox();
  const keys = ['a', 'a/', 'a/b', 'a/b/c', 'a/b/c/d'];
  for (const order of [keys, keys.toReversed()]) {
    for (const key of order) await s3.write(Bucket, key, `first ${key}`);
    for (const key of order) await s3.write(Bucket, key, key);
    expect(s3.list(Bucket)).toEqual(keys);
    for (const key of keys) expect((await s3.read(Bucket, key))?.toString()).toBe(key);
    for (const key of order) await s3.remove(Bucket, key);
    expect(s3.list(Bucket)).toEqual([]);
  }
});

test('an object that was stored at another path stays one object when its own path is free again', async () => {
  const { directory, s3 } = await runSandbox();
  await s3.write(Bucket, 'a/b', 'x');
  await s3.write(Bucket, 'a', 'aside');
  await s3.remove(Bucket, 'a/b');
  expect((await s3.read(Bucket, 'a'))?.toString()).toBe('aside');
  await s3.write(Bucket, 'a', 'back');
  expect(s3.list(Bucket)).toEqual(['a']);
  expect(await readFile(join(directory, 's3', Bucket, 'a'), 'utf8')).toBe('back');
});

test('a key of more than 1,024 bytes is refused', async () => {
  const { clients } = await runSandbox();
  const put = new PutObjectCommand({ Bucket, Key: 'é'.repeat(513), Body: 'x' });
  await expect(clients.s3.send(put)).rejects.toMatchObject({ name: 'KeyTooLongError' });
});

test.each([
  '/../outside/key',
  '/%2e%2e/outside',
  '/..%2f..%2foutside/key',
  '/.s3-meta/key',
  '/s3/key',
  '/Data/key',
])('the path %s names no bucket', async (path) => {
  const parent = await mkdtemp(join(tmpdir(), 'aws-sandbox-parent-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const { environment } = await runSandbox(join(parent, 'sandbox'));
  const { port } = new URL(defined(environment['AWS_ENDPOINT_URL_S3']));
  const request = httpRequest({ host: '127.0.0.1', port, method: 'PUT', path }).end('x');
  const body = await new Promise<string>((done) => {
    request.on('response', (response) => {
      void text(response).then(done);
    });
  });
  expect(body).toContain('<Code>InvalidBucketName</Code>');
  expect(await readdir(parent)).toEqual(['sandbox']);
  await expect(access(join(dirname(parent), 'outside'))).rejects.toThrow();
});

test('the path of any key stays below the bucket, belongs to no other key, and leads back to the key', () => {
  const segment = fc.oneof(
    fc.string({ unit: ANY_CHARACTER, maxLength: 20 }),
    fc.constantFrom('', '.', '..', '%', '%~', '%.', '%2E', 'x'.repeat(300), 'é%\\'.repeat(90)),
  );
  const key = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/'));
  fc.assert(
    fc.property(key, (given) => {
      const path = pathOfKey(given);
      const root = join(sep, 'root');
      expect(resolve(root, path)).toBe(`${root}${sep}${path}`);
      for (const name of path.split('/')) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      // The path leads back to its key, so no two keys share one.
      expect(keyOfPath(path)).toBe(given);
      expect(keyOfPath(pathBesideDirectory(path))).toBe(given);
    }),
    { numRuns: 500 },
  );
});

async function regularFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
