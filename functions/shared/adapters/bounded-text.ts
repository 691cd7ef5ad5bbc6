import { Readable } from 'node:stream';

/**
 * Reads a body of UTF-8 to its end, or gives it up as soon as it has more bytes than allowed: what a server states as
 * its length need not be so.
 *
 * @param body what the SDK gives as `Body`
 * @returns `undefined` where it has more bytes than that; the connection is closed then
 */
export async function boundedText(body: unknown, mostBytes: number): Promise<string | undefined> {
  if (!(body instanceof Readable)) return '';
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop destroys the stream, and with it the connection.
  for await (const chunk of body) {
    const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += part.length;
    if (bytes > mostBytes) return undefined;
    chunks.push(part);
  }
  return Buffer.concat(chunks, bytes).toString('utf8');
}
