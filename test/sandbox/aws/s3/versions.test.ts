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
