import type { Readable } from 'node:stream';
import { GetObjectCommand, S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import type * as z from 'zod';
import { parseObject, StoredObjectError } from './s3-objects.ts';

/** An object that is being read. */
export interface OpenedObject {
  body: AsyncIterable<Uint8Array>;
  /** Bytes, as S3 says. */
  size: number;
  version: string;
  /** Gives up what was not read. */
  close: () => void;
}

/** Opens an object, `undefined` when there is none. */
export async function openObject(
  s3: S3Client,
  bucket: string,
  key: string,
): Promise<OpenedObject | undefined> {
  try {
    const { Body, ContentLength, ETag } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    if (Body === undefined) return undefined;
    // In Node the SDK answers with a stream of Node.
    const body: unknown = Body;
    if (!isReadable(body)) throw new StoredObjectError(key, 'cannot be read as a stream');
    return { body, size: ContentLength ?? 0, version: ETag ?? '', close: () => body.destroy() };
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
    throw error;
  }
}

function isReadable(body: unknown): body is Readable {
  return typeof body === 'object' && body !== null && 'destroy' in body && Symbol.asyncIterator in body;
}

/**
 * Reads an object of JSON that cannot be larger, so that one that somebody else put there costs no more than that.
 *
 * @param mostBytes that are read at most
 * @returns its value and ETag, `undefined` when there is none
 * @throws {StoredObjectError} when it is larger, or not JSON of that schema
 */
export async function readBounded<T>(
  s3: S3Client,
  bucket: string,
  key: string,
  schema: z.ZodType<T>,
  mostBytes: number,
): Promise<{ value: T; version: string } | undefined> {
  const object = await openObject(s3, bucket, key);
  if (object === undefined) return undefined;
  try {
    if (object.size > mostBytes) throw new StoredObjectError(key, `is larger than ${mostBytes} bytes`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of object.body) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    return { value: parseObject(key, text, schema), version: object.version };
  } finally {
    object.close();
  }
}
