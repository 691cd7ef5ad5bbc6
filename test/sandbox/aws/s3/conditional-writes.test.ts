import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { runSandbox } from '#support/aws/running-sandbox.ts';

const Bucket = 'data';
const Key = 'days/day=2026-11-20/merchant=700001/r0001.json';

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
