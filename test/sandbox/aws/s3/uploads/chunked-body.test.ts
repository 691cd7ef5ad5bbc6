import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeAwsChunked } from '#sandbox/aws/s3/body.ts';
import { defined } from '#support/assertions/defined.ts';

test('the decoded bytes and trailers are the same wherever chunks and network packets are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
      async (chunks, cuts) => {
        const encoded = Buffer.concat([
          ...chunks.flatMap((chunk) => [
            Buffer.from(`${chunk.length.toString(16)}\r\n`),
            Buffer.from(chunk),
            Buffer.from('\r\n'),
          ]),
          Buffer.from('0\r\nX-Amz-Checksum-Crc32: AAAAAA==\r\n\r\n'),
        ]);
        const trailers = new Map<string, string>();
        const decoded = await buffer(Readable.from(decodeAwsChunked(packets(encoded, cuts), trailers)));
        expect(decoded.equals(Buffer.concat(chunks))).toBe(true);
        expect([...trailers]).toEqual([['x-amz-checksum-crc32', 'AAAAAA==']]);
      },
    ),
  );
});

async function* packets(bytes: Buffer, cuts: number[]): AsyncGenerator<Buffer> {
  await Promise.resolve();
  for (let at = 0, n = 0; at < bytes.length; n += 1) {
    const size = defined(cuts[n % cuts.length]);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
