import { Readable } from 'node:stream';
import { storageError } from './storage-error.ts';

/**
 * Reads the body of an object, which is UTF-8, to its end, or gives it up as soon as it has more bytes than allowed: what a server states as
 * its length need not be so.
 *
 * @param body what the SDK gives as `Body` of that key
 * @returns `undefined` where it has more bytes than that; the connection is closed then
 * @throws {StorageError} when it breaks off: the client does not see that any more
 */
export async function boundedText(
  body: unknown,
  key: string,
  mostBytes: number,
): Promise<string | undefined> {
  if (!(body instanceof Readable)) return '';
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Leaving the loop destroys the stream, and with it the connection.
    for await (const chunk of body) {
      const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      bytes += part.length;
      if (bytes > mostBytes) return undefined;
      chunks.push(part);
    }
  } catch (error) {
    throw storageError('GetObject', key, error);
  }
  return Buffer.concat(chunks, bytes).toString('utf8');
}
