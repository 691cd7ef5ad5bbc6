import type { Readable } from 'node:stream';
import { GetObjectCommand, S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import type * as z from 'zod';
import { firstIssue } from '#domain/json/schema-issue.ts';
import { jsonArrayElements, NoJsonArray } from './json-array-elements.ts';
import { StoredObjectError } from '#aws/s3-objects.ts';
import { storageError } from '#aws/storage-error.ts';

/** Opens an object as a stream; its size is in bytes, as S3 says. `undefined` when there is none. */
async function openObject(
  s3: S3Client,
  bucket: string,
  key: string,
): Promise<{ body: Readable; size: number } | undefined> {
  try {
    const { Body, ContentLength } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    if (Body === undefined) return undefined;
    // In Node the SDK answers with a stream of Node.
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
 * The elements of an object that is an array of JSON, one at a time: as one text with all of its values it could take
 * more memory than a function has.
 *
 * @param limits `element`: bytes that one of them may have; `whole`: bytes of the object
 * @throws {StoredObjectError} when there is no such object, it is too large, or an element is not of that schema
 * @throws {StorageError} when it breaks off while it is read
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
        throw new StoredObjectError(key, `is not what is kept there: ${path}: ${reason}`);
      }
      yield parsed.data;
    }
  } catch (error) {
    if (error instanceof NoJsonArray) throw new StoredObjectError(key, error.message);
    if (error instanceof StoredObjectError) throw error;
    // What breaks off while it is read: the client does not see that any more.
    throw storageError('GetObject', key, error);
  } finally {
    body.destroy();
  }
}
