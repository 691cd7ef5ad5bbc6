import { DeleteObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { createObject, readObject, isUnreadableObject } from '#runtime/s3-objects.ts';
import { addressHashInKey, SUPPRESSIONS, suppressionKey } from '#records/storage/keys.ts';
import { suppressionSchema } from '#mail/suppression-list.ts';

/** Daybook's own stop of an address. */
export interface Stop {
  /** The hash of the address. */
  hash: string;
  reason: string;
  /** ISO 8601, UTC. A stop that a person wrote may not say it: then it is the time of the object, or `null`. */
  since: string | null;
}

const READS_AT_ONCE = 32;

/** Reads one stop, `undefined` when the address is not stopped. */
export async function readStop(s3: S3Client, bucket: string, hash: string): Promise<Stop | undefined> {
  try {
    const stored = await readObject(s3, bucket, suppressionKey(hash), suppressionSchema);
    return stored && { hash, reason: stored.value.reason, since: stored.value.at ?? null };
  } catch (error) {
    // The functions do not send to an address whose stop they cannot read, either.
    if (!isUnreadableObject(error)) throw error;
    return { hash, reason: `cannot be read: ${error.message}`, since: null };
  }
}

/** Reads all stops, in the order of their hashes. */
export async function listStops(s3: S3Client, bucket: string): Promise<Stop[]> {
  const found: { hash: string; modified: string | null }[] = [];
  const input = { Bucket: bucket, Prefix: SUPPRESSIONS };
  for await (const { Contents: contents = [] } of paginateListObjectsV2({ client: s3 }, input)) {
    for (const { Key: key = '', LastModified: modified } of contents) {
      const hash = addressHashInKey(key);
      if (hash !== undefined) found.push({ hash, modified: modified?.toISOString() ?? null });
    }
  }
  const stops = await pLimit(READS_AT_ONCE).map(found, async ({ hash, modified }): Promise<Stop[]> => {
    const stop = await readStop(s3, bucket, hash);
    return stop === undefined ? [] : [{ ...stop, since: stop.since ?? modified }];
  });
  return stops.flat();
}

/** Stops an address unless it is stopped. @returns whether it was not */
export async function writeStop(
  s3: S3Client,
  bucket: string,
  hash: string,
  stop: { reason: string; at: string },
): Promise<boolean> {
  return (await createObject(s3, bucket, suppressionKey(hash), stop)) !== undefined;
}

/** Lets the address have mail again. */
export async function deleteStop(s3: S3Client, bucket: string, hash: string): Promise<void> {
  await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: suppressionKey(hash) }));
}
