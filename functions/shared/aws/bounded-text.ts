import { Readable } from 'node:stream';
import { storageError } from './storage-error.ts';

/**
 * Reads the body of an object to its end, as UTF-8. Stops as soon as it has more bytes than allowed: the
 * length that a server states may be wrong.
 *
 * @param body `Body` of the SDK's answer for that key
 * @returns `undefined` when it has more bytes; the connection is closed then
 * @throws {StorageError} when it breaks off; the client's own error mapping does not see that
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
