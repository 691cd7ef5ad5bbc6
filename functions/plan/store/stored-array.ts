import type { Readable } from 'node:stream';
import { GetObjectCommand, S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import type * as z from 'zod';
import { firstIssue } from '#records/json/schema-issue.ts';
import { jsonArrayElements, NoJsonArray } from './json-array-elements.ts';
import { StoredObjectError } from '#runtime/s3-objects.ts';
import { storageError } from '#records/errors/storage-error.ts';

/** Opens an object as a stream. `size` is in bytes, from S3. `undefined` when the object does not exist. */
async function openObject(
  s3: S3Client,
  bucket: string,
  key: string,
): Promise<{ body: Readable; size: number } | undefined> {
  try {
    const { Body, ContentLength } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    if (Body === undefined) return undefined;
    // In Node the SDK gives a Node stream.
    const body: unknown = Body;
    if (!isReadable(body)) throw new StoredObjectError(key, 'cannot be read as a stream');
    return { body, size: ContentLength ?? 0 };
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
    throw error;
  }
}

function isReadable(body: unknown): body is Readable {
  return typeof body === 'object' && body !== null && 'destroy' in body && Symbol.asyncIterator in body;
}

/**
 * One element at a time: the whole array could take more memory than a function has.
 * @param limits bytes
 * @throws {StoredObjectError} when the object is gone or too large, or an element does not fit the schema
 * @throws {StorageError} when reading breaks off
 */
export async function* storedArray<T>(
  s3: S3Client,
  bucket: string,
  key: string,
  schema: z.ZodType<T>,
  limits: { element: number; whole: number },
): AsyncGenerator<T> {
  const object = await openObject(s3, bucket, key);
  if (object === undefined) throw new StoredObjectError(key, 'is not there');
  const { body, size } = object;
  try {
    if (size > limits.whole) throw new StoredObjectError(key, `is larger than ${limits.whole} bytes`);
    for await (const element of jsonArrayElements(body, limits.element)) {
      const parsed = schema.safeParse(element);
      if (!parsed.success) {
        const { path, reason } = firstIssue(parsed.error);
        throw new StoredObjectError(key, `is not what Daybook writes there: ${path}: ${reason}`);
      }
      yield parsed.data;
    }
  } catch (error) {
    if (error instanceof NoJsonArray) throw new StoredObjectError(key, error.message);
    if (error instanceof StoredObjectError) throw error;
    // An error while the stream is read does not pass through the client's own error mapping.
    throw storageError('GetObject', key, error);
  } finally {
    body.destroy();
  }
}
