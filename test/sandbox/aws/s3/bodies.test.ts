import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import type { S3 } from '@aws-sdk/client-s3';
import { runSandbox, type RunningSandbox } from '#support/aws/running-sandbox.ts';
import { defined, fc, forAllAsync, responseTo } from '#support/assertions/index.ts';
import { decodeAwsChunked } from '#sandbox/aws/s3/body.ts';

const Bucket = 'data';
const Key = 'invoices/json/x.jsonl.gz';

test('a stream goes in chunks with a trailer and comes back whole', async () => {
  const { clients, directory } = await runSandbox();
  const pieces = Array.from({ length: 40 }, (_, n) => randomBytes(1 + n * 1000));
  const whole = Buffer.concat(pieces);
  const sent = { Body: Readable.from(pieces), ContentLength: whole.length, ContentEncoding: 'gzip' };
  const put = await clients.s3.putObject({ Bucket, Key, ...sent });
  expect(put.ETag).toBe(`"${createHash('md5').update(whole).digest('hex')}"`);
  expect(put.ChecksumCRC32).toMatch(/^[A-Za-z0-9+/]+=*$/);
  // The SDK compares the checksum with the bytes as it reads them.
  const got = await clients.s3.getObject({ Bucket, Key, ChecksumMode: 'ENABLED' });
  expect(got.ChecksumCRC32).toBe(put.ChecksumCRC32);
  expect(got.ContentEncoding).toBe('gzip');
  expect(Buffer.from(await defined(got.Body).transformToByteArray()).equals(whole)).toBe(true);
  expect(await readdir(join(directory, '.s3-meta', 'incoming'))).toEqual([]);
});

test('a body that does not match its checksum is refused, and the old object stays', async () => {
  const { clients, s3 } = await runSandbox();
  await s3.write(Bucket, Key, 'old');
  const put = clients.s3.putObject({ Bucket, Key, Body: 'new', ChecksumCRC32: crc32Base64('other') });
  await expect(put).rejects.toMatchObject({ name: 'BadDigest', $metadata: { httpStatusCode: 400 } });
  expect((await s3.read(Bucket, Key))?.toString()).toBe('old');
});

const signature = 'a'.repeat(64);
const signed = [
  `5;chunk-signature=${signature}\r\nhello\r\n`,
  `6;chunk-signature=${signature}\r\n world\r\n`,
  `0;chunk-signature=${signature}\r\n`,
];
const checksumTrailer = `x-amz-checksum-crc32:${crc32Base64('hello world')}\r\n`;

test('signed chunks without trailers are decoded', async () => {
  const sandbox = await runSandbox();
  const headers = {
    'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    'x-amz-decoded-content-length': '11',
    'content-encoding': 'aws-chunked',
  };
  expect(await rawPut(sandbox, headers, [...signed, '\r\n'])).toMatchObject({ status: 200 });
  expect((await sandbox.s3.read(Bucket, Key))?.toString()).toBe('hello world');
  const head = await sandbox.clients.s3.headObject({ Bucket, Key });
  expect(head.ContentEncoding).toBeUndefined();
});

test('signed chunks with a signed trailer are decoded, and the trailer is verified', async () => {
  const sandbox = await runSandbox();
  const headers = {
    'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
    'x-amz-decoded-content-length': '11',
    'x-amz-trailer': 'x-amz-checksum-crc32',
  };
  const trailers = (checksum: string) => [checksum, `x-amz-trailer-signature:${signature}\r\n`, '\r\n'];
  const good = await rawPut(sandbox, headers, [...signed, ...trailers(checksumTrailer)]);
  expect(good).toMatchObject({ status: 200 });
  const bad = await rawPut(sandbox, headers, [
    ...signed,
    ...trailers(`x-amz-checksum-crc32:${crc32Base64('hello World')}\r\n`),
  ]);
  expect(bad).toMatchObject({ status: 400, code: 'BadDigest' });
  const none = await rawPut(sandbox, headers, [...signed, '\r\n']);
  expect(none).toMatchObject({ status: 400, code: 'MalformedTrailerError' });
});

test('a client that goes away in the middle of a body leaves nothing', async () => {
  const sandbox = await runSandbox();
  const url = new URL(`/${Bucket}/${Key}`, sandbox.environment['AWS_ENDPOINT_URL_S3']);
  const request = httpRequest(url, { method: 'PUT', headers: { 'content-length': '1000000' } });
  const gone = new Promise((resolve) => request.on('error', resolve));
  request.write(Buffer.alloc(500_000));
  await expect.poll(() => sandbox.requests.length).toBe(1);
  request.destroy();
  await gone;
  await expect.poll(() => readdir(join(sandbox.directory, '.s3-meta', 'incoming'))).toEqual([]);
  expect(sandbox.s3.list(Bucket)).toEqual([]);
  expect(sandbox.requests).toMatchObject([{ operation: 'PutObject', status: 0 }]);
});

test.each([
  ['a body of another SHA-256', 400, 'XAmzContentSHA256Mismatch', { 'x-amz-content-sha256': '0'.repeat(64) }],
  ['a checksum of an unknown kind', 501, 'NotImplemented', { 'x-amz-checksum-xxhash64': 'AAAAAAAAAAA=' }],
])('%s is refused', async (_, status, code, headers) => {
  const sandbox = await runSandbox();
  expect(await rawPut(sandbox, headers, ['x'])).toMatchObject({ status, code });
  expect(sandbox.s3.list(Bucket)).toEqual([]);
});

test.each([
  ['ends inside a chunk', ['5\r\nhel']],
  ['ends without the last chunk', ['5\r\nhello\r\n']],
  ['has a chunk longer than it says', ['4\r\nhello\r\n0\r\n\r\n']],
  ['is shorter than announced', ['4\r\nhell\r\n0\r\n\r\n']],
  ['is not chunked at all', ['hello']],
])('a chunked body that %s is incomplete', async (_, body) => {
  const sandbox = await runSandbox();
  const headers = {
    'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    'x-amz-decoded-content-length': '5',
  };
  expect(await rawPut(sandbox, headers, body)).toMatchObject({ status: 400, code: 'IncompleteBody' });
  expect(sandbox.s3.list(Bucket)).toEqual([]);
});

/** A PUT without the SDK, for requests that no client would send. */
async function rawPut(sandbox: RunningSandbox, headers: Record<string, string>, pieces: string[]) {
  const url = new URL(`/${Bucket}/${Key}`, sandbox.environment['AWS_ENDPOINT_URL_S3']);
  const request = httpRequest(url, { method: 'PUT', headers });
  for (const piece of pieces) request.write(piece);
  request.end();
  const response = await responseTo(request);
  const [, code] = /<Code>(.*)<\/Code>/.exec(await text(response)) ?? [];
  return { status: response.statusCode, code };
}

function crc32Base64(body: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes.toString('base64');
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

const OTHER_ETAG = '"0cc175b9c0f1b6a831c399e269772661"';

test('one of simultaneous completions with If-None-Match succeeds, and the other uploads stay', async () => {
  const { s3 } = (await runSandbox()).clients;
  const uploads = await Promise.all(['one', 'two', 'three'].map((each) => uploadOf(s3, each)));
  const completions = uploads.map((upload) => complete(s3, upload, { IfNoneMatch: '*' }));
  const outcomes = (await Promise.allSettled(completions)).filter(({ status }) => status === 'rejected');
  const refused = { reason: { name: 'PreconditionFailed' } };
  expect(outcomes).toMatchObject([refused, refused]);
  expect((await s3.listMultipartUploads({ Bucket })).Uploads).toHaveLength(2);
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
  ['InvalidPartOrder', { named: [1, 1] }],
  ['EntityTooSmall', { named: [1, 2] }],
  ['MalformedXML', { parts: [] }],
])('a completion is refused with %s', async (name, { named = [1], ...wrong }: Wrong) => {
  const { clients, s3 } = await runSandbox();
  const { UploadId, parts } = await uploadOf(clients.s3, 'x');
  const { ETag } = await clients.s3.uploadPart({ Bucket, Key, UploadId, PartNumber: 2, Body: 'y' });
  const both = [...parts, { PartNumber: 2, ETag: defined(ETag) }];
  const right = { UploadId, parts: named.map((number) => defined(both[number - 1])) };
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
});

interface StartedUpload {
  UploadId: string;
  parts: { PartNumber: number; ETag: string }[];
}
type Wrong = Partial<StartedUpload> & { named?: number[] };

async function uploadOf(client: S3, body: string): Promise<StartedUpload> {
  const { UploadId } = await client.createMultipartUpload({ Bucket, Key });
  const { ETag } = await client.uploadPart({ Bucket, Key, UploadId, PartNumber: 1, Body: body });
  return { UploadId: defined(UploadId), parts: [{ PartNumber: 1, ETag: defined(ETag) }] };
}

function complete(client: S3, { UploadId, parts }: StartedUpload, condition: { IfNoneMatch?: string } = {}) {
  const MultipartUpload = { Parts: parts };
  return client.completeMultipartUpload({ Bucket, Key, UploadId, MultipartUpload, ...condition });
}
