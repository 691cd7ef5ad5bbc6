import { expect, test } from 'vitest';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { defined } from '#support/assertions/defined.ts';

const Bucket = 'data';
const Key = 'config/merchants.json';

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
  expect(listed.Versions?.map(({ VersionId, IsLatest }) => [VersionId, IsLatest])).toEqual([
    [three.VersionId, true],
    [two.VersionId, false],
    [one.VersionId, false],
  ]);
  expect(listed.DeleteMarkers).toMatchObject([{ Key, IsLatest: false }]);
  const got = await clients.s3.getObject({ Bucket, Key, VersionId: one.VersionId });
  expect(got).toMatchObject({ ETag: one.ETag, VersionId: one.VersionId, Metadata: { by: 'jane' } });
  expect(await defined(got.Body).transformToString()).toBe('one');
  const marker = listed.DeleteMarkers?.[0]?.VersionId;
  await expect(clients.s3.getObject({ Bucket, Key, VersionId: marker })).rejects.toMatchObject({
    name: 'NoSuchVersion',
  });

  const pages = [await clients.s3.listObjectVersions({ Bucket, MaxKeys: 3 })];
  const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = defined(pages[0]);
  pages.push(await clients.s3.listObjectVersions({ Bucket, KeyMarker, VersionIdMarker }));
  expect(
    pages.map(({ IsTruncated, Versions }) => [IsTruncated, Versions?.map((version) => version.Key)]),
  ).toEqual([
    [true, [Key, Key]],
    [false, [Key, 'config/other']],
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
