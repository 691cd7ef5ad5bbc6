import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { StoredObjectError, readObject } from '#aws/s3-objects.ts';
import { addDays, dayAt } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { manifestSchema } from '#domain/revision/manifest.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import { dayPrefix, pageInKey, ownerPart } from '#domain/storage/keys.ts';

/** The mean of the sealed days that were read. */
export interface SealedSizes {
  day: Day;
  /** How many were read, of how many that are sealed. */
  read: number;
  sealed: number;
  invoices: number;
  refunds: number;
  /** Bytes of the files. */
  bytes: number;
}

/** Manifests that are read: enough for a mean, and a few cents even if the command runs every minute. */
const MOST_READ = 100;
const AT_ONCE = 20;
/** Today is not sealed yet, and yesterday may be under way. */
const DAYS = 3;

/**
 * The sizes of the newest day that has manifests, of the last three.
 *
 * @param now milliseconds UTC
 * @returns `undefined` when no day has one
 */
export async function sealedSizes(
  s3: S3Client,
  bucket: string,
  now: number,
): Promise<SealedSizes | undefined> {
  for (let back = 1; back <= DAYS; back += 1) {
    const day = addDays(dayAt(now, 'UTC'), -back);
    const keys = await newestManifests(s3, bucket, day);
    if (keys.length > 0) return meanOf(s3, bucket, day, keys);
  }
  return undefined;
}

/** The key of each merchant's newest manifest of a day. */
async function newestManifests(s3: S3Client, bucket: string, day: Day): Promise<string[]> {
  const newest = new Map<string, string>();
  for await (const { Contents = [] } of paginateListObjectsV2(
    { client: s3 },
    { Bucket: bucket, Prefix: dayPrefix(day) },
  )) {
    // Keys come in order, so a later revision replaces an earlier one.
    for (const { Key = '' } of Contents) {
      const named = pageInKey(Key);
      if (named !== undefined) newest.set(ownerPart(named.owner), Key);
    }
  }
  return [...newest.values()];
}

async function meanOf(s3: S3Client, bucket: string, day: Day, keys: readonly string[]): Promise<SealedSizes> {
  const step = Math.max(1, keys.length / MOST_READ);
  const some = Array.from(
    { length: Math.min(keys.length, MOST_READ) },
    (_, index) => keys[Math.floor(index * step)] ?? '',
  );
  const limit = pLimit(AT_ONCE);
  const sizes = await Promise.all(some.map((key) => limit(() => sizeOf(s3, bucket, key))));
  const known = sizes.filter((size) => size !== undefined);
  const mean = (amount: (size: (typeof known)[number]) => number) =>
    known.reduce((sum, size) => sum + amount(size), 0) / Math.max(1, known.length);
  return {
    day,
    read: known.length,
    sealed: keys.length,
    invoices: mean(({ invoices }) => invoices),
    refunds: mean(({ refunds }) => refunds),
    bytes: mean(({ bytes }) => bytes),
  };
}

/** `undefined` for a manifest that cannot be read. The command is an estimate and does not judge it. */
async function sizeOf(s3: S3Client, bucket: string, key: string) {
  const manifest = await readManifest(s3, bucket, key);
  if (manifest === undefined) return undefined;
  const rows = (table: string) => manifest.files.find((file) => file.table === table)?.rows ?? 0;
  return {
    invoices: rows('invoices'),
    refunds: rows('refunds'),
    bytes: manifest.files.reduce((sum, file) => sum + file.bytes, 0),
  };
}

async function readManifest(s3: S3Client, bucket: string, key: string): Promise<Manifest | undefined> {
  try {
    return (await readObject(s3, bucket, key, manifestSchema))?.value;
  } catch (error) {
    if (error instanceof StoredObjectError) return undefined;
    throw error;
  }
}
