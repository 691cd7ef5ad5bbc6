import { s3Errors } from '../errors.ts';

const lineEnd = Buffer.from('\r\n');
const maxLineBytes = 16_384;

/**
 * Reads the payload from an `aws-chunked` body: `<hex size>[;chunk-signature=…]`, the bytes, and so on until a
 * chunk of size 0, then trailing headers, which go to `trailers` in lower case. Signatures are not verified.
 * @throws ServiceError IncompleteBody if the body ends early or does not have this form
 */
export async function* decodeAwsChunked(
  source: AsyncIterable<Buffer>,
  trailers: Map<string, string>,
): AsyncGenerator<Buffer> {
  let pending: Buffer = Buffer.alloc(0);
  const chunks = source[Symbol.asyncIterator]();

  const more = async (): Promise<Buffer> => {
    const next = await chunks.next();
    if (next.done === true) throw s3Errors.incompleteBody();
    return next.value;
  };
  const line = async (): Promise<string> => {
    for (;;) {
      const end = pending.indexOf(lineEnd);
      if (end >= 0) {
        const text = pending.toString('latin1', 0, end);
        pending = pending.subarray(end + lineEnd.length);
        return text;
      }
      if (pending.length > maxLineBytes) throw s3Errors.incompleteBody();
      pending = Buffer.concat([pending, await more()]);
    }
  };

  try {
    for (;;) {
      const size = /^([0-9a-f]+)(?:;|$)/i.exec(await line())?.[1];
      if (size === undefined) throw s3Errors.incompleteBody();
      let left = Number.parseInt(size, 16);
      if (left === 0) break;
      while (left > 0) {
        if (pending.length === 0) pending = await more();
        const taken = pending.subarray(0, left);
        pending = pending.subarray(taken.length);
        left -= taken.length;
        yield taken;
      }
      if ((await line()) !== '') throw s3Errors.incompleteBody();
    }
    for (let trailer = await line(); trailer !== ''; trailer = await line()) {
      const colon = trailer.indexOf(':');
      trailers.set(trailer.slice(0, colon).trim().toLowerCase(), trailer.slice(colon + 1).trim());
    }
  } finally {
    await chunks.return?.();
  }
}
