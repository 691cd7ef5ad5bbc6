import { Readable } from 'node:stream';
import { storageError } from '../errors/storage-error.ts';

/**
 * Reads an object's body as UTF-8, up to the limit: a stated length may be wrong. `undefined` beyond it.
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
