import { access, cp, readFile, readdir, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { dirname, join, resolve, sep } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { keyOfPath, pathBesideDirectory, pathOfKey } from '#sandbox/aws/s3/files/object-files.ts';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { defined, anyOf, fc, forAll, ANY_CHARACTER, responseTo } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';

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
    await clients.s3.putObject({ Bucket, Key, Body: Key });
    const got = await clients.s3.getObject({ Bucket, Key });
    expect(await defined(got.Body).transformToString()).toBe(Key);
    const { Contents } = await clients.s3.listObjectsV2({ Bucket, EncodingType: 'url' });
    const listed = Contents?.map((entry) => decodeURIComponent(defined(entry.Key).replaceAll('+', ' ')));
    expect(listed).toEqual([Key]);
    expect(await regularFiles(join(directory, 's3'))).toHaveLength(1);
    expect(await readdir(directory)).toEqual(['.s3-meta', 'mail', 'queues', 's3']);
    await clients.s3.deleteObject({ Bucket, Key });
    expect(s3.list(Bucket)).toEqual([]);
    expect(await regularFiles(join(directory, 's3'))).toEqual([]);
  },
);

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
  const put = clients.s3.putObject({ Bucket, Key: 'é'.repeat(513), Body: 'x' });
  await expect(put).rejects.toMatchObject({ name: 'KeyTooLongError' });
});

test.each([
  '/../outside/key',
  '/%2e%2e/outside',
  '/..%2f..%2foutside/key',
  '/.s3-meta/key',
  '/s3/key',
  '/Data/key',
])('the path %s names no bucket', async (path) => {
  const parent = newDirectory();
  const { environment } = await runSandbox(join(parent, 'sandbox'));
  const { port } = new URL(defined(environment['AWS_ENDPOINT_URL_S3']));
  const request = httpRequest({ host: '127.0.0.1', port, method: 'PUT', path }).end('x');
  expect(await text(await responseTo(request))).toContain('<Code>InvalidBucketName</Code>');
  expect(await readdir(parent)).toEqual(['sandbox']);
  await expect(access(join(dirname(parent), 'outside'))).rejects.toThrow();
});

test('the path of any key stays below the bucket, belongs to no other key, and leads back to the key', () => {
  const segment = fc.oneof(
    fc.string({ unit: ANY_CHARACTER, maxLength: 20 }),
    fc.constantFrom('', '.', '..', '%', '%~', '%.', '%2E', 'x'.repeat(300), 'é%\\'.repeat(90)),
  );
  const key = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/'));
  forAll([key], { numRuns: 500 }, (given) => {
    const path = pathOfKey(given);
    const root = join(sep, 'root');
    expect(resolve(root, path)).toBe(`${root}${sep}${path}`);
    for (const name of path.split('/')) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    // The path leads back to its key, so no two keys share one.
    expect(keyOfPath(path)).toBe(given);
    expect(keyOfPath(pathBesideDirectory(path))).toBe(given);
  });
});

async function regularFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test('a list is in the order of UTF-8 bytes, and encodes what XML cannot hold', async () => {
  const { clients, s3 } = await runSandbox();
  // U+FFFD sorts before U+1F600 in UTF-8 and after it in UTF-16; `a-` before `a/`, `a/` before `a0`.
  const keys = ['B', 'a', 'a-', 'a/b', 'a0', 'é', '\u{fffd}', '\u{1f600}'];
  for (const key of keys.toReversed()) await s3.write(Bucket, key, 'x');
  const { Contents } = await clients.s3.listObjectsV2({ Bucket });
  expect(defined(Contents).map(({ Key }) => Key)).toEqual(keys);
  expect(s3.list(Bucket)).toEqual(keys);
  await s3.write(Bucket, 'a b/\u0001+é', 'x');
  const page = await clients.s3.listObjectsV2({ Bucket, Prefix: 'a b/', EncodingType: 'url' });
  expect(page).toMatchObject({
    Prefix: 'a+b/',
    Contents: [{ Key: 'a+b/%01%2B%C3%A9', Size: 1, ETag: '"9dd4e461268c8034f5c8564e155c67a6"' }],
  });
});

test('a delimiter collects common prefixes, which count towards the page and are not repeated', async () => {
  const { clients, s3 } = await runSandbox();
  for (const key of ['x/a', 'x/b/1', 'x/b/2', 'x/c', 'x/d/1', 'x/d/2/3', 'y'])
    await s3.write(Bucket, key, 'x');
  const pages = [];
  let ContinuationToken: string | undefined;
  do {
    const asked = { Bucket, Prefix: 'x/', Delimiter: '/', MaxKeys: 2, ContinuationToken };
    const page = await clients.s3.listObjectsV2(asked);
    pages.push({
      keys: page.Contents?.map(({ Key }) => Key) ?? [],
      prefixes: page.CommonPrefixes?.map(({ Prefix }) => Prefix) ?? [],
    });
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined && pages.length < 10);
  expect(pages).toEqual([
    { keys: ['x/a'], prefixes: ['x/b/'] },
    { keys: ['x/c'], prefixes: ['x/d/'] },
  ]);
});

const Key = 'config/merchants.json';

test('an object comes back with its bytes, headers, metadata, ETag and checksum, also to a later sandbox', async () => {
  const first = await runSandbox();
  const Body = gzipSync('{"a":1}\n');
  const Metadata = { pull: '20261121T030005Z-9f2c61aa' };
  const own = { ContentType: 'application/x-ndjson', ContentEncoding: 'gzip', CacheControl: 'no-store' };
  const put = await first.clients.s3.putObject({ Bucket, Key, Body, Metadata, ...own });
  expect(await readFile(join(first.directory, 's3', Bucket, Key))).toEqual(Body);
  await first.close();
  // A copy of the files has other times.
  const copy = newDirectory();
  await cp(first.directory, copy, { recursive: true });
  for (const directory of [first.directory, copy]) {
    const { s3 } = (await runSandbox(directory)).clients;
    const got = await s3.getObject({ Bucket, Key, ChecksumMode: 'ENABLED' });
    expect(Buffer.from(await defined(got.Body).transformToByteArray())).toEqual(Body);
    const kept = { ...own, Metadata, ContentLength: Body.length, ETag: put.ETag };
    const expected = { ...kept, LastModified: anyOf(Date) };
    expect(got).toMatchObject({ ...expected, ChecksumCRC32: put.ChecksumCRC32 });
    expect(await s3.headObject({ Bucket, Key })).toMatchObject(expected);
  }
});

test.each([
  ['bytes=2-4', '234', 'bytes 2-4/10'],
  ['bytes=7-', '789', 'bytes 7-9/10'],
  ['bytes=-2', '89', 'bytes 8-9/10'],
  ['bytes=8-99', '89', 'bytes 8-9/10'],
])('a read returns the range %s, and refuses one after the end', async (Range, part, ContentRange) => {
  const { s3 } = (await runSandbox()).clients;
  await s3.putObject({ Bucket, Key, Body: '0123456789' });
  const got = await s3.getObject({ Bucket, Key, Range });
  expect(await defined(got.Body).transformToString()).toBe(part);
  expect(got).toMatchObject({ ContentRange, $metadata: { httpStatusCode: 206 } });
  const after = s3.getObject({ Bucket, Key, Range: 'bytes=10-' });
  await expect(after).rejects.toMatchObject({ name: 'InvalidRange', $metadata: { httpStatusCode: 416 } });
});

test('a file that a person edits gets its own ETag, and a file that a person adds is an object', async () => {
  const { clients, directory, s3 } = await runSandbox();
  await clients.s3.putObject({ Bucket, Key, Body: 'one', ContentType: 'text/csv' });
  await writeFile(join(directory, 's3', Bucket, Key), 'edited');
  await writeFile(join(directory, 's3', Bucket, 'config', 'by-hand.csv'), 'id\n17\n');
  const got = await clients.s3.getObject({ Bucket, Key });
  expect(await defined(got.Body).transformToString()).toBe('edited');
  expect(got.ETag).toBe('"683dc5278b1fbbd98a996cecc3ffd06a"');
  expect(s3.list(Bucket)).toEqual(['config/by-hand.csv', Key]);
});

test('what is replaced or removed stays as a version, the newest first, also for a later sandbox', async () => {
  const first = await runSandbox(undefined, { operator: true });
  const { s3 } = first.clients;
  await s3.putObject({ Bucket, Key: 'config/other', Body: 'x' });
  const one = await s3.putObject({ Bucket, Key, Body: 'one', Metadata: { by: 'jane' } });
  const two = await s3.putObject({ Bucket, Key, Body: 'two' });
  await s3.deleteObject({ Bucket, Key });
  const { clients } = await runSandbox(first.directory, { operator: true });
  const three = await clients.s3.putObject({ Bucket, Key, Body: 'three' });

  const listed = await clients.s3.listObjectVersions({ Bucket, Prefix: Key });
  const [newest, second, oldest] = [three, two, one].map(({ VersionId }) => ({ VersionId, IsLatest: false }));
  expect(listed).toMatchObject({
    Versions: [{ ...newest, IsLatest: true }, second, oldest],
    DeleteMarkers: [{ Key, IsLatest: false }],
  });
  const got = await clients.s3.getObject({ Bucket, Key, VersionId: one.VersionId });
  expect(got).toMatchObject({ ETag: one.ETag, VersionId: one.VersionId, Metadata: { by: 'jane' } });
  expect(await defined(got.Body).transformToString()).toBe('one');
  const marker = clients.s3.getObject({ Bucket, Key, VersionId: listed.DeleteMarkers?.[0]?.VersionId });
  await expect(marker).rejects.toMatchObject({ name: 'NoSuchVersion' });

  const pages = [await clients.s3.listObjectVersions({ Bucket, MaxKeys: 3 })];
  const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = defined(pages[0]);
  pages.push(await clients.s3.listObjectVersions({ Bucket, KeyMarker, VersionIdMarker }));
  expect(pages).toMatchObject([
    { IsTruncated: true, Versions: [{ Key }, { Key }] },
    { IsTruncated: false, Versions: [{ Key }, { Key: 'config/other' }] },
  ]);
});

test('without versions there is the present object alone', async () => {
  const { clients } = await runSandbox();
  for (const Body of ['one', 'two']) await clients.s3.putObject({ Bucket, Key, Body });
  const { Versions } = await clients.s3.listObjectVersions({ Bucket });
  expect(Versions).toMatchObject([{ Key, VersionId: 'null', IsLatest: true, Size: 3 }]);
});

async function start() {
  const { clients, s3: store } = await runSandbox(undefined, { operator: true });
  const put = async (Key: string, Body: string) =>
    defined((await clients.s3.putObject({ Bucket, Key, Body })).VersionId);
  const text = async (Key: string) => (await store.read(Bucket, Key))?.toString('utf8');
  const versions = async (options = {}) => {
    const { Versions = [], DeleteMarkers = [] } = await clients.s3.listObjectVersions({ Bucket, ...options });
    return { versions: Versions.map(({ VersionId }) => VersionId), marks: DeleteMarkers.length };
  };
  return { s3: clients.s3, put, text, versions };
}

test('a version that is deleted is gone for ever, and the one before it is the newest', async () => {
  const { s3, put, text, versions } = await start();
  const [first, second] = [await put('a', 'first'), await put('a', 'second')];
  await s3.deleteObject({ Bucket, Key: 'a', VersionId: second });
  expect(await text('a')).toBe('first');
  expect(await versions()).toEqual({ versions: [first], marks: 0 });
  await s3.deleteObject({ Bucket, Key: 'a' });
  expect(await text('a')).toBeUndefined();
  const { DeleteMarkers } = await s3.listObjectVersions({ Bucket });
  // Without the mark, the object is back.
  await s3.deleteObject({ Bucket, Key: 'a', VersionId: DeleteMarkers?.[0]?.VersionId });
  expect(await text('a')).toBe('first');
});

test('DeleteObjects deletes versions and marks', async () => {
  const { s3, put, versions } = await start();
  await put('a', 'first');
  await s3.deleteObject({ Bucket, Key: 'a' });
  await put('a/b', 'other');
  const { Versions = [], DeleteMarkers = [] } = await s3.listObjectVersions({ Bucket, Prefix: 'a' });
  expect([Versions.length, DeleteMarkers.length]).toEqual([2, 1]);
  const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
  const { Deleted } = await s3.deleteObjects({ Bucket, Delete: { Objects } });
  expect(Deleted).toHaveLength(3);
  expect(await versions()).toEqual({ versions: [], marks: 0 });
});

test('a list of versions has common prefixes, and pages of any size', async () => {
  const { s3, put } = await start();
  for (const key of ['d=1/a', 'd=1/a', 'd=2/a', 'e', 'e']) await put(key, key);
  await s3.deleteObject({ Bucket, Key: 'd=2/a' });
  const found: (string | undefined)[] = [];
  let marker: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } = {};
  for (;;) {
    const page = await s3.listObjectVersions({ Bucket, Delimiter: '/', MaxKeys: 1, ...marker });
    found.push(
      ...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix),
      ...(page.Versions ?? []).map(({ Key }) => Key),
    );
    if (page.IsTruncated !== true) break;
    marker = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
  }
  expect(found).toEqual(['d=1/', 'd=2/', 'e', 'e']);
});
