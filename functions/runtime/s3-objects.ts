import { GetObjectCommand, PutObjectCommand, S3ServiceException } from '@aws-sdk/client-s3';
import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3';
import type * as z from 'zod';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { largestObject, mostValues, boundedText } from '#records/storage/object-bounds.ts';
import { boundedJson } from '#records/json/own-json.ts';
import { firstIssue } from '#records/json/schema-issue.ts';
import { StorageError } from '#records/errors/storage-error.ts';

/** An object is not one that Daybook writes there. Names the key, never the content. */
export class StoredObjectError extends DaybookError {
  override readonly name = 'StoredObjectError';
  readonly key: string;
  constructor(key: string, reason: string) {
    super(`object ${key} ${reason}`);
    this.key = key;
  }
}

/** The connection broke. The object may be sound, so a later run may read it. */
export class InterruptedReadError extends StoredObjectError {}

const CONFLICT_ATTEMPTS = 5;
function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/**
 * The text of an object with its ETag; `undefined` when there is no object.
 * @param VersionId left out: the present version
 * @throws {StoredObjectError} when it is larger than `most` bytes; the rest is not read
 */
export async function readText(
  s3: S3Client,
  bucket: string,
  key: string,
  most = largestObject(key),
  VersionId?: string,
): Promise<{ text: string; version: string } | undefined> {
  try {
    const { Body, ETag } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key, VersionId }));
    const text = await boundedText(Body, key, most);
    if (text === undefined) throw new StoredObjectError(key, `is larger than ${most} bytes`);
    return { text, version: ETag ?? '' };
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/**
 * Value and ETag, `undefined` when there is no object.
 * @throws {StoredObjectError} when it is larger than Daybook writes it, or is not JSON of that schema
 */
export async function readObject<T>(
  s3: S3Client,
  bucket: string,
  key: string,
  schema: z.ZodType<T>,
): Promise<{ value: T; version: string } | undefined> {
  const object = await readText(s3, bucket, key);
  if (object === undefined) return undefined;
  return { value: parseObject(key, object.text, schema), version: object.version };
}

/** @throws {StoredObjectError} when it is not JSON of that schema, or has far more values than Daybook writes */
export function parseObject<T>(key: string, text: string, schema: z.ZodType<T>): T {
  const read = boundedJson(text, mostValues(key));
  if ('reason' in read) throw new StoredObjectError(key, read.reason);
  const parsed = schema.safeParse(read.json);
  if (parsed.success) return parsed.data;
  const { path, reason } = firstIssue(parsed.error);
  throw new StoredObjectError(key, `is not what Daybook writes there: ${path}: ${reason}`);
}

function lineOf(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

export async function putObject(s3: S3Client, bucket: string, key: string, value: unknown): Promise<void> {
  await put(s3, { bucket, key, text: lineOf(value), most: largestObject(key) }, {});
}

/**
 * Replaces a version, or creates the object without one. Returns the new ETag, `undefined` when there is another version.
 */
export function writeObject(
  s3: S3Client,
  bucket: string,
  key: string,
  value: unknown,
  version?: string,
): Promise<string | undefined> {
  return writeText(s3, { bucket, key, text: lineOf(value), most: largestObject(key) }, version ?? null);
}

interface WrittenText {
  bucket: string;
  key: string;
  text: string;
  /** The most bytes that readers of the key take. */
  most: number;
  /** What S3 keeps beside the text. */
  metadata?: Record<string, string>;
}

async function put(
  s3: S3Client,
  written: WrittenText,
  condition: Pick<PutObjectCommandInput, 'IfNoneMatch' | 'IfMatch'>,
): Promise<string> {
  const { bucket, key, text, most, metadata } = written;
  // As bytes: of a text, the SDK would make them twice, for its checksum and for its signature.
  const body = Buffer.from(text);
  // A text that could not be read again must not replace a readable one.
  if (body.length > most) throw new StoredObjectError(key, `would be larger than ${most} bytes`);
  const { ETag } = await s3.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: body,
      ContentType: 'application/json',
      Metadata: metadata,
      ...condition,
    }),
  );
  return ETag ?? '';
}

/**
 * A conditional write. When an answer is lost, the SDK sends again and finds its own object: a failed
 * condition counts only with other content. Returns the new ETag.
 * @param version ETag, `null` when the key must be free
 */
export async function writeText(
  s3: S3Client,
  written: WrittenText,
  version: string | null,
): Promise<string | undefined> {
  const { bucket, key, text, most } = written;
  const condition = version === null ? { IfNoneMatch: '*' } : { IfMatch: version };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await put(s3, written, condition);
    } catch (error) {
      const status = statusOf(error);
      // 409: another conditional write is under way. Its result decides, so try again.
      if (status === 409 && attempt < CONFLICT_ATTEMPTS) continue;
      if (status !== 412 && status !== 404 && status !== 409) throw error;
      const standing = await readText(s3, bucket, key, most);
      if (standing === undefined && version === null && attempt < CONFLICT_ATTEMPTS) continue;
      return standing?.text === text ? standing.version : undefined;
    }
  }
}

/** Whether an object is not one that Daybook writes there, or is refused: no failure of S3 or the connection. */
export function isUnreadableObject(error: unknown): error is StoredObjectError | StorageError {
  if (error instanceof InterruptedReadError) return false;
  return error instanceof StoredObjectError || (error instanceof StorageError && error.isRefusedObject);
}

/** For `catch`: what stands for an object that cannot be read. A failure of S3 is thrown again: a later run reads it. */
export function whenSpoilt<T>(otherwise: (error: StoredObjectError | StorageError) => T) {
  return (error: unknown): T => {
    if (!isUnreadableObject(error)) throw error;
    return otherwise(error);
  };
}
