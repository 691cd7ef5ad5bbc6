import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { readObject, StoredObjectError } from '#aws/s3-objects.ts';
import { planItemSchema } from '#domain/plan/plan-item.ts';
import { storedArray } from '#functions/plan/store/stored-array.ts';
import { failedDays } from './failed-days.ts';
import type { FailedDay } from './failed-days.ts';

/** Bytes. A manifest names one file for each 5 GB of results. */
const LARGEST_MANIFEST = 1_024 * 1_024;
/** Bytes. */
const LIMITS = { element: 4 * 1_024 * 1_024, whole: Infinity };

const filesSchema = z.array(z.object({ Key: z.string() })).default([]);
const manifestSchema = z.object({ ResultFiles: z.object({ FAILED: filesSchema, PENDING: filesSchema }) });
const inputSchema = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(planItemSchema);
const childSchema = z.object({
  Input: inputSchema,
  Error: z.string().default('not started'),
  Cause: z.string().default(''),
});

/**
 * The days that failed in a round, by merchant and day.
 *
 * @param manifestKey the key of the round's results
 * @throws {StoredObjectError} when the results are not there, or are not what Step Functions writes
 */
export async function readFailures(s3: S3Client, bucket: string, manifestKey: string): Promise<FailedDay[]> {
  const manifest = await readObject(s3, bucket, manifestKey, manifestSchema, LARGEST_MANIFEST);
  if (manifest === undefined) throw new StoredObjectError(manifestKey, 'is not there');
  const failures: FailedDay[] = [];
  const { FAILED, PENDING } = manifest.value.ResultFiles;
  for (const { Key } of [...FAILED, ...PENDING])
    for await (const child of storedArray(s3, bucket, Key, childSchema, LIMITS))
      failures.push(...failedDays(child));
  const sortKey = ({ merchantCode, day }: FailedDay) => `${merchantCode} ${day}`;
  return failures.sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}
