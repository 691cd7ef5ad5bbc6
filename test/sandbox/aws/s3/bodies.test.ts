import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { runSandbox, type RunningSandbox } from '#support/aws/running-sandbox.ts';
import { defined } from '#support/assertions/defined.ts';
import { recordOf } from '#support/assertions/record-of.ts';

const Bucket = 'data';
const Key = 'invoices/json/x.jsonl.gz';

test('a stream goes in chunks with a trailer and comes back whole', async () => {
  const { clients, directory } = await runSandbox();
  const pieces = Array.from({ length: 40 }, (_, n) => randomBytes(1 + n * 1000));
  const whole = Buffer.concat(pieces);
  const put = await clients.s3.putObject({
    Bucket,
    Key,
    Body: Readable.from(pieces),
    ContentLength: whole.length,
    ContentEncoding: 'gzip',
  });
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

test('a body that was changed in transit is refused, as a string and as a stream', async () => {
  const { clients, directory, s3 } = await runSandbox();
  corruptRequests(clients.s3);
  const asString = clients.s3.putObject({ Bucket, Key, Body: 'good' });
  await expect(asString).rejects.toMatchObject({ name: 'XAmzContentSHA256Mismatch' });
  const Body = Readable.from([Buffer.from('good')]);
  const asStream = clients.s3.putObject({ Bucket, Key, Body, ContentLength: 4 });
  await expect(asStream).rejects.toMatchObject({ name: 'BadDigest' });
  expect(s3.list(Bucket)).toEqual([]);
  expect(await readdir(join(directory, '.s3-meta', 'incoming'))).toEqual([]);
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

test('a checksum of an unknown kind is refused', async () => {
  const sandbox = await runSandbox();
  const answer = await rawPut(sandbox, { 'x-amz-checksum-xxhash64': 'AAAAAAAAAAA=' }, ['x']);
  expect(answer).toMatchObject({ status: 501, code: 'NotImplemented' });
  expect(sandbox.s3.list(Bucket)).toEqual([]);
});

/** Changes the first `g` of every body after the SDK has computed its checksums. */
function corruptRequests(client: S3Client): void {
  client.middlewareStack.add(
    (next) => (args) => {
      const request = recordOf(args.request);
      const { body } = request;
      if (typeof body === 'string') request['body'] = body.replace('g', 'f');
      if (body instanceof Uint8Array)
        request['body'] = Buffer.from(Buffer.from(body).toString().replace('g', 'f'));
      if (body instanceof Readable) {
        request['body'] = body.map((chunk: Buffer | string) => chunk.toString().replace('g', 'f'));
      }
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low', name: 'corruptRequests' },
  );
}

/** A PUT without the SDK, for requests that no client would send. */
async function rawPut(sandbox: RunningSandbox, headers: Record<string, string>, pieces: string[]) {
  const url = new URL(`/${Bucket}/${Key}`, sandbox.environment['AWS_ENDPOINT_URL_S3']);
  const request = httpRequest(url, { method: 'PUT', headers });
  for (const piece of pieces) request.write(piece);
  request.end();
  return new Promise<{ status: number | undefined; code: string | undefined }>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      void text(response).then((body) => {
        resolve({ status: response.statusCode, code: /<Code>(.*)<\/Code>/.exec(body)?.[1] });
      });
    });
  });
}

function crc32Base64(body: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes.toString('base64');
}
