import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { defined } from '#support/assertions/defined.ts';

const Bucket = 'data';
const Key = 'config/merchants.json';

test('an object comes back with its bytes, headers, metadata, ETag and checksum', async () => {
  const { clients, directory } = await runSandbox();
  const Body = gzipSync('{"a":1}\n');
  const put = await clients.s3.putObject({
    Bucket,
    Key,
    Body,
    ContentType: 'application/x-ndjson',
    ContentEncoding: 'gzip',
    CacheControl: 'no-store',
    Metadata: { pull: '20261121T030005Z-9f2c61aa' },
  });
  const got = await clients.s3.getObject({ Bucket, Key, ChecksumMode: 'ENABLED' });
  expect(Buffer.from(await defined(got.Body).transformToByteArray())).toEqual(Body);
  const expected = {
    ContentType: 'application/x-ndjson',
    ContentEncoding: 'gzip',
    CacheControl: 'no-store',
    ContentLength: Body.length,
    Metadata: { pull: '20261121T030005Z-9f2c61aa' },
    ETag: put.ETag,
  };
  expect(got).toMatchObject({ ...expected, ChecksumCRC32: put.ChecksumCRC32, ChecksumType: 'FULL_OBJECT' });
  expect(Math.abs(defined(got.LastModified).getTime() - Date.now())).toBeLessThan(10_000);
  expect(await clients.s3.headObject({ Bucket, Key })).toMatchObject(expected);
  expect(await readFile(join(directory, 's3', Bucket, Key))).toEqual(Body);
});

test('an empty object can be written and read', async () => {
  const { clients } = await runSandbox();
  await clients.s3.putObject({ Bucket, Key, Body: '' });
  const got = await clients.s3.getObject({ Bucket, Key });
  expect(await defined(got.Body).transformToString()).toBe('');
  expect(got).toMatchObject({ ContentLength: 0, ETag: '"d41d8cd98f00b204e9800998ecf8427e"' });
});

test('If-Match on a read refuses another version with 412', async () => {
  const { clients } = await runSandbox();
  const { ETag } = await clients.s3.putObject({ Bucket, Key, Body: 'one' });
  const get = new GetObjectCommand({ Bucket, Key, IfMatch: ETag });
  expect(await defined((await clients.s3.send(get)).Body).transformToString()).toBe('one');
  await clients.s3.putObject({ Bucket, Key, Body: 'two' });
  await expect(clients.s3.send(get)).rejects.toMatchObject({ name: 'PreconditionFailed' });
});

test.each([
  ['bytes=2-4', '234', 'bytes 2-4/10'],
  ['bytes=7-', '789', 'bytes 7-9/10'],
  ['bytes=-2', '89', 'bytes 8-9/10'],
  ['bytes=8-99', '89', 'bytes 8-9/10'],
])('a read returns the range %s', async (Range, text, ContentRange) => {
  const { clients } = await runSandbox();
  await clients.s3.putObject({ Bucket, Key, Body: '0123456789' });
  const got = await clients.s3.getObject({ Bucket, Key, Range });
  expect(await defined(got.Body).transformToString()).toBe(text);
  expect(got).toMatchObject({ ContentRange, ContentLength: text.length, $metadata: { httpStatusCode: 206 } });
});

test('a range after the end is refused', async () => {
  const { clients } = await runSandbox();
  await clients.s3.putObject({ Bucket, Key, Body: '0123456789' });
  await expect(clients.s3.getObject({ Bucket, Key, Range: 'bytes=10-' })).rejects.toMatchObject({
    name: 'InvalidRange',
    $metadata: { httpStatusCode: 416 },
  });
});

test('a missing key is NoSuchKey for a read and NotFound for a HEAD, and can be deleted', async () => {
  const { clients } = await runSandbox();
  await expect(clients.s3.getObject({ Bucket, Key })).rejects.toMatchObject({
    name: 'NoSuchKey',
    message: 'The specified key does not exist.',
    Key,
    $metadata: { httpStatusCode: 404 },
  });
  await expect(clients.s3.headObject({ Bucket, Key })).rejects.toMatchObject({
    name: 'NotFound',
  });
  const deleted = await clients.s3.deleteObject({ Bucket, Key });
  expect(deleted.$metadata.httpStatusCode).toBe(204);
});

test('an operation that the sandbox does not have is refused and does nothing', async () => {
  const { clients } = await runSandbox();
  await expect(clients.s3.getObjectTagging({ Bucket, Key })).rejects.toMatchObject({
    name: 'NotImplemented',
  });
});

test('DeleteObjects deletes many objects, leaves the rest, and reports a condition that failed', async () => {
  const { clients, s3 } = await runSandbox();
  const names = ['a&b<c>', ' spaces ', 'line\nbreak', 'é', 'kept', 'guarded'];
  for (const name of names) await s3.write(Bucket, name, name);
  const Objects = [...names.slice(0, 4), 'absent'].map((name) => ({ Key: name }));
  const result = await clients.s3.deleteObjects({
    Bucket,
    Delete: { Objects: [...Objects, { Key: 'guarded', ETag: '"other"' }] },
  });
  expect(result.Deleted?.map(({ Key: name }) => name)).toEqual([...names.slice(0, 4), 'absent']);
  expect(result.Errors).toMatchObject([{ Key: 'guarded', Code: 'PreconditionFailed' }]);
  expect(s3.list(Bucket)).toEqual(['guarded', 'kept']);
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
