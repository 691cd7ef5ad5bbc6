import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { S3 } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { expect, test } from 'vitest';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { defined } from '#support/assertions/defined.ts';
import { buffer } from 'node:stream/consumers';
import { decodeAwsChunked } from '#sandbox/aws/s3/body.ts';
import { fc, forAllAsync } from '#support/assertions/for-all.ts';

const Bucket = 'data';
const Key = 'invoices/json/day=2026-11-20/merchant=700001/x.jsonl.gz';
const partSize = 5 * 1024 * 1024;
const OTHER_ETAG = '"0cc175b9c0f1b6a831c399e269772661"';

test('lib-storage uploads a stream of 12 MB in parts', async () => {
  const { clients, requests, s3 } = await runSandbox();
  const pieces = Array.from({ length: 12 }, () => randomBytes(1_000_000));
  const upload = new Upload({
    client: clients.s3,
    partSize,
    params: {
      Bucket,
      Key,
      Body: Readable.from(pieces),
      ContentEncoding: 'gzip',
      IfNoneMatch: '*',
    },
  });
  const done = await upload.done();
  const whole = Buffer.concat(pieces);
  const digests = [0, 1, 2].map((n) => md5(whole.subarray(n * partSize, (n + 1) * partSize)));
  expect(done.ETag).toBe(`"${md5(Buffer.concat(digests)).toString('hex')}-3"`);
  expect(defined(await s3.read(Bucket, Key)).equals(whole)).toBe(true);
  const got = await clients.s3.getObject({ Bucket, Key, ChecksumMode: 'ENABLED' });
  expect(got).toMatchObject({ ContentEncoding: 'gzip', ETag: done.ETag, ContentLength: 12_000_000 });
  expect(Buffer.from(await defined(got.Body).transformToByteArray()).equals(whole)).toBe(true);
  expect(requests.filter(({ operation }) => operation === 'UploadPart')).toHaveLength(3);
  const left = await clients.s3.listMultipartUploads({ Bucket });
  expect(left.Uploads).toBeUndefined();
});

test('one of two simultaneous completions with If-None-Match succeeds, and the other upload stays', async () => {
  const { clients } = await runSandbox();
  const uploads = await Promise.all(['one', 'two', 'three'].map((text) => uploadOf(clients.s3, text)));
  const outcomes = await Promise.allSettled(
    uploads.map((upload) => complete(clients.s3, upload, { IfNoneMatch: '*' })),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ name: 'PreconditionFailed' });
  }
  const { Uploads } = await clients.s3.listMultipartUploads({ Bucket, Prefix: 'invoices/' });
  expect(Uploads).toHaveLength(2);
});

test('a completion with If-Match refuses an object that changed', async () => {
  const { clients, s3 } = await runSandbox();
  await s3.write(Bucket, Key, 'there');
  const upload = await uploadOf(clients.s3, 'new');
  const stale = complete(clients.s3, upload, { IfMatch: OTHER_ETAG });
  await expect(stale).rejects.toMatchObject({ name: 'PreconditionFailed' });
  await complete(clients.s3, upload, { IfMatch: `"${md5(Buffer.from('there')).toString('hex')}"` });
  expect((await s3.read(Bucket, Key))?.toString()).toBe('new');
});

test('the newest part of a number counts, and an abort leaves nothing', async () => {
  const { clients, s3 } = await runSandbox();
  const { UploadId } = await uploadOf(clients.s3, 'first');
  const { ETag } = await clients.s3.uploadPart({ Bucket, Key, UploadId, PartNumber: 1, Body: 'second!' });
  await complete(clients.s3, { UploadId, parts: [{ PartNumber: 1, ETag: defined(ETag) }] });
  expect((await s3.read(Bucket, Key))?.toString()).toBe('second!');
  await s3.remove(Bucket, Key);
  const other = await uploadOf(clients.s3, 'other');
  await clients.s3.abortMultipartUpload({ Bucket, Key, UploadId: other.UploadId });
  await expect(complete(clients.s3, other)).rejects.toMatchObject({ name: 'NoSuchUpload' });
  expect(s3.list(Bucket)).toEqual([]);
});

test.each([
  ['NoSuchUpload', { UploadId: '../../s3' }],
  ['InvalidPart', { parts: [{ PartNumber: 1, ETag: OTHER_ETAG }] }],
  ['InvalidPart', { parts: [{ PartNumber: 7, ETag: OTHER_ETAG }] }],
  ['InvalidPartOrder', { twice: true }],
  ['MalformedXML', { parts: [] }],
])('a completion is refused with %s', async (name, { twice = false, ...wrong }: Wrong) => {
  const { clients, s3 } = await runSandbox();
  const { UploadId, parts } = await uploadOf(clients.s3, 'x');
  const right = { UploadId, parts: twice ? [...parts, ...parts] : parts };
  await expect(complete(clients.s3, { ...right, ...wrong })).rejects.toMatchObject({ name });
  expect(s3.list(Bucket)).toEqual([]);
});

test('a completion that is repeated after a lost answer is answered again while its object exists', async () => {
  const { clients, s3 } = await runSandbox();
  const upload = await uploadOf(clients.s3, 'x');
  const first = await complete(clients.s3, upload);
  expect((await complete(clients.s3, upload)).ETag).toBe(first.ETag);
  const other = { ...upload, parts: [{ PartNumber: 1, ETag: OTHER_ETAG }] };
  await expect(complete(clients.s3, other)).rejects.toMatchObject({ name: 'NoSuchUpload' });
  await s3.write(Bucket, Key, 'somebody else');
  await expect(complete(clients.s3, upload)).rejects.toMatchObject({ name: 'NoSuchUpload' });
  expect((await s3.read(Bucket, Key))?.toString()).toBe('somebody else');
});

test('a part below 5 MiB that is not the last is too small', async () => {
  const { clients } = await runSandbox();
  const { UploadId, parts } = await uploadOf(clients.s3, 'x');
  const { ETag } = await clients.s3.uploadPart({ Bucket, Key, UploadId, PartNumber: 2, Body: 'y' });
  const small = complete(clients.s3, { UploadId, parts: [...parts, { PartNumber: 2, ETag: defined(ETag) }] });
  await expect(small).rejects.toMatchObject({ name: 'EntityTooSmall' });
});

test('an upload can be continued after a restart', async () => {
  const first = await runSandbox();
  const upload = await uploadOf(first.clients.s3, 'kept');
  await first.close();
  const second = await runSandbox(first.directory);
  await complete(second.clients.s3, upload);
  expect((await second.s3.read(Bucket, Key))?.toString()).toBe('kept');
});

interface StartedUpload {
  UploadId: string;
  parts: { PartNumber: number; ETag: string }[];
}
type Wrong = Partial<StartedUpload> & { twice?: boolean };

async function uploadOf(client: S3, text: string): Promise<StartedUpload> {
  const { UploadId } = await client.createMultipartUpload({ Bucket, Key });
  const { ETag } = await client.uploadPart({ Bucket, Key, UploadId, PartNumber: 1, Body: text });
  return { UploadId: defined(UploadId), parts: [{ PartNumber: 1, ETag: defined(ETag) }] };
}

function complete(
  client: S3,
  { UploadId, parts }: StartedUpload,
  condition: { IfMatch?: string; IfNoneMatch?: string } = {},
) {
  const MultipartUpload = { Parts: parts };
  return client.completeMultipartUpload({ Bucket, Key, UploadId, MultipartUpload, ...condition });
}

function md5(bytes: Uint8Array): Buffer {
  return createHash('md5').update(bytes).digest();
}

test('the decoded bytes and trailers are the same wherever chunks and network packets are cut', () =>
  forAllAsync(
    [
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
    ],
    async (chunks, cuts) => {
      const encoded = Buffer.concat([
        ...chunks.flatMap((chunk) => [
          Buffer.from(`${chunk.length.toString(16)}\r\n`),
          Buffer.from(chunk),
          Buffer.from('\r\n'),
        ]),
        Buffer.from('0\r\nX-Amz-Checksum-Crc32: AAAAAA==\r\n\r\n'),
      ]);
      const trailers = new Map<string, string>();
      const decoded = await buffer(Readable.from(decodeAwsChunked(packets(encoded, cuts), trailers)));
      expect(decoded.equals(Buffer.concat(chunks))).toBe(true);
      expect([...trailers]).toEqual([['x-amz-checksum-crc32', 'AAAAAA==']]);
    },
  ));

async function* packets(bytes: Buffer, cuts: number[]): AsyncGenerator<Buffer> {
  await Promise.resolve();
  for (let at = 0, n = 0; at < bytes.length; n += 1) {
    const size = defined(cuts[n % cuts.length]);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
