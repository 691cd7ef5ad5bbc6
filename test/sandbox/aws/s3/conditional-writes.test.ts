import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { knownErrors } from '#sandbox/aws/index.ts';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { defined } from '#support/assertions/defined.ts';

const Bucket = 'data';
const Key = 'days/day=2026-11-20/merchant=700001/r0001.json';

test('exactly one of 20 simultaneous writes with If-None-Match succeeds, and its bytes are stored', async () => {
  const { clients, s3 } = await runSandbox();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      clients.s3.send(new PutObjectCommand({ Bucket, Key, Body: `run ${n}`, IfNoneMatch: '*' })),
    ),
  );
  const winners = outcomes.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []));
  expect(winners).toHaveLength(1);
  expect((await s3.read(Bucket, Key))?.toString()).toBe(`run ${winners[0]}`);
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') continue;
    expect(outcome.reason).toMatchObject({
      name: 'PreconditionFailed',
      $metadata: { httpStatusCode: 412 },
      Condition: 'If-None-Match',
    });
  }
});

test('twenty writers that read, add one and write with If-Match lose no addition', async () => {
  const { clients, s3 } = await runSandbox();
  await s3.write(Bucket, Key, '0');
  let refused = 0;
  const addOne = async () => {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const { Body, ETag } = await clients.s3.send(new GetObjectCommand({ Bucket, Key }));
      const next = String(Number(await defined(Body).transformToString()) + 1);
      try {
        await clients.s3.send(new PutObjectCommand({ Bucket, Key, Body: next, IfMatch: ETag }));
        return;
      } catch (error) {
        expect(error).toMatchObject({ name: 'PreconditionFailed' });
        refused += 1;
      }
    }
    throw new Error('no luck in 200 attempts');
  };
  await Promise.all(Array.from({ length: 20 }, addOne));
  expect((await s3.read(Bucket, Key))?.toString()).toBe('20');
  expect(refused).toBeGreaterThan(0);
});

test('If-Match on a key that is not there is NoSuchKey', async () => {
  const { clients, s3 } = await runSandbox();
  const put = new PutObjectCommand({ Bucket, Key, Body: 'x', IfMatch: '"0cc175b9c0f1b6a831c399e269772661"' });
  await expect(clients.s3.send(put)).rejects.toMatchObject({
    name: 'NoSuchKey',
    $metadata: { httpStatusCode: 404 },
  });
  expect(s3.list(Bucket)).toEqual([]);
});

test('a delete with If-Match does not delete an object that was written again', async () => {
  const { clients, s3 } = await runSandbox();
  const first = await clients.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'one' }));
  const second = await clients.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'two' }));
  const stale = clients.s3.send(new DeleteObjectCommand({ Bucket, Key, IfMatch: first.ETag }));
  await expect(stale).rejects.toMatchObject({ name: 'PreconditionFailed' });
  expect(s3.list(Bucket)).toEqual([Key]);
  await clients.s3.send(new DeleteObjectCommand({ Bucket, Key, IfMatch: second.ETag }));
  expect(s3.list(Bucket)).toEqual([]);
});

test('a copy with If-None-Match does not overwrite', async () => {
  const { clients, s3 } = await runSandbox();
  await s3.write(Bucket, 'from', 'new');
  await s3.write(Bucket, Key, 'old');
  const copy = new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/from`, IfNoneMatch: '*' });
  await expect(clients.s3.send(copy)).rejects.toMatchObject({ name: 'PreconditionFailed' });
  expect((await s3.read(Bucket, Key))?.toString()).toBe('old');
});

test('a test can ask for the conflict with a running delete', async () => {
  const { clients, faults, s3 } = await runSandbox();
  faults.add({ operation: 'PutObject', action: knownErrors.s3.conditionalRequestConflict });
  const put = () => clients.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x', IfNoneMatch: '*' }));
  await expect(put()).rejects.toMatchObject({
    name: 'ConditionalRequestConflict',
    $metadata: { httpStatusCode: 409 },
  });
  expect(s3.list(Bucket)).toEqual([]);
  await put();
  expect(s3.list(Bucket)).toEqual([Key]);
});

test('a hook between a reader’s read and its write makes the If-Match fail', async () => {
  const { clients, faults, s3 } = await runSandbox();
  await s3.write(Bucket, Key, 'before');
  const { ETag } = await clients.s3.send(new GetObjectCommand({ Bucket, Key }));
  faults.add({
    operation: 'PutObject',
    key: /r0001/,
    action: { kind: 'call', before: () => s3.write(Bucket, Key, 'meanwhile') },
  });
  const put = new PutObjectCommand({ Bucket, Key, Body: 'after', IfMatch: ETag });
  await expect(clients.s3.send(put)).rejects.toMatchObject({
    name: 'PreconditionFailed',
    Condition: 'If-Match',
  });
  expect((await s3.read(Bucket, Key))?.toString()).toBe('meanwhile');
});
