import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { isDay } from '../core/business-day.ts';
import { MERCHANT_CODE } from '../core/registry.ts';
import type { PlanItem } from '../ports.ts';
import { StoredObjectError, readObject } from './s3-objects.ts';

/*
 * What Step Functions' ResultWriter leaves of a Distributed Map: a manifest that names files of children by how they
 * ended. `FAILED` are those that failed, timed out or were aborted, `PENDING` those that were never started because
 * the run was stopped. Each child is there with its input, as JSON text.
 */

const filesSchema = z.lazy(() => z.array(z.object({ Key: z.string() })).default([]));
const manifestSchema = z.lazy(() =>
  z.object({ ResultFiles: z.object({ FAILED: filesSchema, PENDING: filesSchema }) }),
);

const itemSchema = z.lazy(() =>
  z.strictObject({
    merchantCode: z.string().regex(MERCHANT_CODE),
    days: z.array(z.string().refine(isDay, 'is no date')).min(1),
    send: z.boolean(),
    scheduledTime: z.iso.datetime().nullable(),
  }),
);
const batchSchema = z.lazy(() => z.object({ Items: z.array(itemSchema) }).transform(({ Items }) => Items));
const inputSchema = z.lazy(() => z.union([batchSchema, itemSchema.transform((item) => [item])]));

const inputText = z.lazy(() =>
  z.string().transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' });
      return z.NEVER;
    }
  }),
);
const childrenSchema = z.lazy(() => z.array(z.object({ Input: inputText.pipe(inputSchema) })));

async function readExisting<T>(s3: S3Client, bucket: string, key: string, schema: z.ZodType<T>): Promise<T> {
  const object = await readObject(s3, bucket, key, schema);
  if (object === undefined) throw new StoredObjectError(key, 'is not there');
  return object.value;
}

/**
 * The items of every child that did not succeed, each once; of a batch, all of its items.
 *
 * @param manifestKey key of the manifest that Step Functions wrote
 * @throws {StoredObjectError} when the manifest or a file is not there, or not in the form that is documented; an item
 * that cannot be read is never left out
 */
export async function readUnfinishedItems(
  s3: S3Client,
  bucket: string,
  manifestKey: string,
): Promise<PlanItem[]> {
  const { ResultFiles } = await readExisting(s3, bucket, manifestKey, manifestSchema);
  const directory = manifestKey.slice(0, manifestKey.lastIndexOf('/') + 1);
  const items = new Map<string, PlanItem>();
  for (const { Key } of [...ResultFiles.FAILED, ...ResultFiles.PENDING]) {
    if (!Key.startsWith(directory)) throw new StoredObjectError(manifestKey, 'names a file beside its own');
    const children = await readExisting(s3, bucket, Key, childrenSchema);
    for (const item of children.flatMap(({ Input }) => Input)) items.set(JSON.stringify(item), item);
  }
  return [...items.values()];
}
