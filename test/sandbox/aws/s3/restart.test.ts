import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { expect, onTestFinished, test } from 'vitest';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import type { RunningSandbox } from '#support/aws/running-sandbox.ts';
import { defined } from '#support/assertions/defined.ts';
import { anyOf } from '#support/assertions/any-of.ts';

const Bucket = 'data';
const keys = ['days/r0001.json', 'a', 'a/b', 'parts', '../odd'];

test('a second sandbox on the directory serves the objects of the first, with ETags and metadata', async () => {
  const first = await filledSandbox();
  const before = await heads(first);
  await first.close();
  const second = await runSandbox(first.directory);
  expect(await heads(second)).toEqual(before);
  const put = new PutObjectCommand({ Bucket, Key: 'a', Body: 'x', IfMatch: defined(before[1]).ETag });
  await second.clients.s3.send(put);
});

test('a copy of the directory without file times serves the same objects', async () => {
  const first = await filledSandbox();
  const before = await heads(first);
  const copy = await mkdtemp(join(tmpdir(), 'aws-sandbox-copy-'));
  onTestFinished(() => rm(copy, { recursive: true, force: true }));
  await cp(first.directory, copy, { recursive: true });
  const second = await runSandbox(copy);
  expect(await heads(second)).toEqual(before.map((head) => ({ ...head, LastModified: anyOf(Date) })));
});

async function filledSandbox(): Promise<RunningSandbox> {
  const sandbox = await runSandbox();
  for (const Key of keys.filter((key) => key !== 'parts')) {
    await sandbox.clients.s3.send(
      new PutObjectCommand({ Bucket, Key, Body: Key, ContentType: 'text/csv', Metadata: { key: Key } }),
    );
  }
  const Body = Buffer.alloc(6_000_000);
  await new Upload({ client: sandbox.clients.s3, params: { Bucket, Key: 'parts', Body } }).done();
  return sandbox;
}

async function heads({ clients }: RunningSandbox) {
  const answers = await Promise.all(
    keys.map((Key) => clients.s3.send(new HeadObjectCommand({ Bucket, Key }))),
  );
  return answers.map(({ ETag, LastModified, ContentType, ContentLength, Metadata }) => ({
    ETag,
    LastModified,
    ContentType,
    ContentLength,
    Metadata,
  }));
}
