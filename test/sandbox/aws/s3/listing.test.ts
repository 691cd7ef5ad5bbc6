import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { defined } from '#support/assertions/defined.ts';

const Bucket = 'data';

test('an entry of a list has key, size, ETag and time', async () => {
  const { clients, s3 } = await runSandbox();
  await s3.write(Bucket, 'a/b', 'x');
  const { Contents } = await clients.s3.send(new ListObjectsV2Command({ Bucket }));
  expect(Contents).toMatchObject([{ Key: 'a/b', Size: 1, ETag: '"9dd4e461268c8034f5c8564e155c67a6"' }]);
  const [entry] = defined(Contents);
  expect(Math.abs(Number(entry?.LastModified) - Date.now())).toBeLessThan(10_000);
});

test('a list is in the order of UTF-8 bytes, not of UTF-16 units or of directories', async () => {
  const { clients, s3 } = await runSandbox();
  // U+FFFD sorts before U+1F600 in UTF-8 and after it in UTF-16; `a-` before `a/`, `a/` before `a0`.
  const keys = ['B', 'a', 'a-', 'a/b', 'a0', 'é', '\u{fffd}', '\u{1f600}'];
  for (const key of keys.toReversed()) await s3.write(Bucket, key, 'x');
  const { Contents } = await clients.s3.send(new ListObjectsV2Command({ Bucket }));
  expect(defined(Contents).map(({ Key }) => Key)).toEqual(keys);
  expect(s3.list(Bucket)).toEqual(keys);
});

test('a delimiter collects common prefixes, which count towards the page and are not repeated', async () => {
  const { clients, s3 } = await runSandbox();
  for (const key of ['x/a', 'x/b/1', 'x/b/2', 'x/c', 'x/d/1', 'x/d/2/3', 'y'])
    await s3.write(Bucket, key, 'x');
  const pages = [];
  let ContinuationToken: string | undefined;
  do {
    const page = await clients.s3.send(
      new ListObjectsV2Command({ Bucket, Prefix: 'x/', Delimiter: '/', MaxKeys: 2, ContinuationToken }),
    );
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

test('a list with StartAfter begins after that key, and a prefix may end inside a name', async () => {
  const { clients, s3 } = await runSandbox();
  for (const key of ['day=1/a', 'day=1/b', 'day=10/c', 'day=2/d']) await s3.write(Bucket, key, 'x');
  const { Contents } = await clients.s3.send(
    new ListObjectsV2Command({ Bucket, Prefix: 'day=1', StartAfter: 'day=1/a' }),
  );
  expect(defined(Contents).map(({ Key }) => Key)).toEqual(['day=1/b', 'day=10/c']);
});

test('a list with EncodingType url encodes characters that XML cannot hold', async () => {
  const { clients, s3 } = await runSandbox();
  await s3.write(Bucket, 'a b/\u0001+é', 'x');
  const page = await clients.s3.send(
    new ListObjectsV2Command({ Bucket, Prefix: 'a b/', EncodingType: 'url' }),
  );
  expect(page).toMatchObject({ Prefix: 'a+b/', Contents: [{ Key: 'a+b/%01%2B%C3%A9' }] });
});

test('a list with MaxKeys 0 is empty, and an unknown continuation token is refused', async () => {
  const { clients, s3 } = await runSandbox();
  await s3.write(Bucket, 'a', 'x');
  const page = await clients.s3.send(new ListObjectsV2Command({ Bucket, MaxKeys: 0 }));
  expect(page).toMatchObject({ KeyCount: 0, IsTruncated: false });
  const made = clients.s3.send(new ListObjectsV2Command({ Bucket, ContinuationToken: '%%%' }));
  await expect(made).rejects.toMatchObject({ name: 'InvalidArgument' });
});
