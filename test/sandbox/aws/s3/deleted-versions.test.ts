import { expect, test } from 'vitest';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { defined } from '#support/assertions/defined.ts';

const Bucket = 'data';

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
