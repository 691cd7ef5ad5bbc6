import { createHash } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { planItemSchema } from '../plan-item.ts';
import type { AnyItem } from '../plan-item.ts';
import { statementItemSchema } from '#page/statement-item.ts';
import { readObject, StoredObjectError } from '#runtime/s3-objects.ts';
import { storedArray } from './stored-array.ts';

/** The cause of a child whose calls failed: `2 of 5 failed: ["700001 2026-11-20: ServerError", …]`. */
const CAUSE = /^(\d+) of \d+ failed: (\[.*\])$/s;
/** A call that failed: the merchant, mostly the day, and the name of the error. */
const CALL = /^([A-Za-z0-9-]{1,64})(?: (\d{4}-\d\d-\d\d))?: \w[\w.]*$/;

const callsSchema = z.lazy(() => z.array(z.string().regex(CALL)).min(1));

function callsIn(cause: string): string[] | undefined {
  const [, count, list = ''] = CAUSE.exec(cause) ?? [];
  try {
    const { data } = callsSchema.safeParse(JSON.parse(list));
    return data?.length === Number(count) ? data : undefined;
  } catch {
    return undefined;
  }
}

function hasCall(item: AnyItem, call: string): boolean {
  const [, merchantCode, day] = CALL.exec(call) ?? [];
  if (!('days' in item) || item.merchantCode !== merchantCode) return false;
  return day === undefined || item.days.includes(day);
}

/**
 * Of a failed batch, the items that its cause names. When that says anything else, as when Step Functions
 * ended the batch, all of them count as failed.
 */
function failedOfBatch(items: AnyItem[], cause = ''): readonly AnyItem[] {
  if (items.length === 1) return items;
  const calls = callsIn(cause);
  if (calls === undefined) return items;
  const failed = items.filter((item) => calls.some((call) => hasCall(item, call)));
  const isKnown = calls.every((call) => failed.some((item) => hasCall(item, call)));
  return isKnown ? failed : items;
}

/**
 * The ResultWriter of Step Functions names, for a Distributed Map, files of child executions by how they
 * ended. `FAILED` also timed out or were aborted; `PENDING` were never started. Each child has its input as
 * JSON text.
 */

/** The results name fewer or more items than the round had, so it is not known which failed. */
export class RoundResultsError extends DaybookError {
  override readonly name = 'RoundResultsError';
  readonly key: string;
  constructor(key: string, reason: string) {
    super(`the results of the round ${key} ${reason}`);
    this.key = key;
  }
}

const LARGEST_MANIFEST = 1_024 * 1_024;
/** Bytes. A child's input, output and cause have 256 KiB each at most, and get longer when quoted. */
const LIMITS = { element: 4 * 1_024 * 1_024, whole: Infinity };

const filesSchema = z.lazy(() => z.array(z.object({ Key: z.string() })).default([]));
const manifestSchema = z.lazy(() =>
  z.object({ ResultFiles: z.object({ FAILED: filesSchema, PENDING: filesSchema, SUCCEEDED: filesSchema }) }),
);

function inputSchema(item: z.ZodType<AnyItem>) {
  const batch = z.object({ Items: z.array(item) }).transform(({ Items }) => Items);
  return z.union([batch, item.transform((one) => [one])]);
}

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

function childSchema(item: z.ZodType<AnyItem>) {
  return z.object({ Input: inputText.pipe(inputSchema(item)), Cause: z.string().optional() });
}

/** The items of a round have the form of its kind, which its key names. */
function itemSchema(manifestKey: string): z.ZodType<AnyItem> {
  return manifestKey.startsWith('plan/results/statement/') ? statementItemSchema : planItemSchema;
}

function assertComplete(manifestKey: string, named: number, planned: number | undefined): void {
  if (named === 0) throw new RoundResultsError(manifestKey, 'name no items');
  if (planned === undefined || named === planned) return;
  throw new RoundResultsError(manifestKey, `name ${named} items, but it had ${planned}`);
}

/**
 * The items of every child that did not succeed, each once. An item that is in no file has not succeeded.
 * @param planned how many items the round had, when that is known
 * @throws {StoredObjectError} when the manifest or a file is missing or not of the documented form
 * @throws {RoundResultsError} when the results name fewer or more items than the round had
 */
export async function readUnfinishedItems(
  s3: S3Client,
  bucket: string,
  manifestKeys: readonly string[],
  planned: number | undefined,
): Promise<AnyItem[]> {
  const unfinished = new Map<string, AnyItem>();
  /** Hashes: the items of ten thousand merchants with a year each have 50 MB. */
  const named = new Set<string>();
  for (const manifestKey of manifestKeys) {
    for await (const { items, failed } of childrenOf(s3, bucket, manifestKey)) {
      for (const item of items) named.add(createHash('sha256').update(JSON.stringify(item)).digest('base64'));
      for (const item of failed) unfinished.set(JSON.stringify(item), item);
    }
  }
  assertComplete(manifestKeys.join(', '), named.size, planned);
  return [...unfinished.values()];
}

async function* childrenOf(
  s3: S3Client,
  bucket: string,
  manifestKey: string,
): AsyncGenerator<{ items: AnyItem[]; failed: readonly AnyItem[] }> {
  const child = childSchema(itemSchema(manifestKey));
  const manifest = await readObject(s3, bucket, manifestKey, manifestSchema, LARGEST_MANIFEST);
  if (manifest === undefined) throw new StoredObjectError(manifestKey, 'is not there');
  const { FAILED, PENDING, SUCCEEDED } = manifest.value.ResultFiles;
  const directory = manifestKey.slice(0, manifestKey.lastIndexOf('/') + 1);
  for (const [files, failedOf] of [
    [FAILED, failedOfBatch],
    [PENDING, (items: AnyItem[]) => items],
    [SUCCEEDED, () => []],
  ] as const) {
    for (const { Key } of files) {
      if (!Key.startsWith(directory))
        throw new StoredObjectError(manifestKey, 'names a file outside its folder');
      for await (const { Input, Cause } of storedArray(s3, bucket, Key, child, LIMITS))
        yield { items: Input, failed: failedOf(Input, Cause) };
    }
  }
}
