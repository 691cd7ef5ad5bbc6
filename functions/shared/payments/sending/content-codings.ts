import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

type Unpack = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const unzip = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip);
const unwrap = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);
const unwrapRaw = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw);

/**
 * The lower half of the first byte names the only method of zlib's format. Services also send the bare
 * format.
 */
const [METHOD, DEFLATED] = [0x0f, 0x08];

/** Content codings (RFC 9110, 8.4.1) that are read. */
export const CODINGS = new Map<string, Unpack>([
  ['gzip', unzip],
  ['x-gzip', unzip],
  [
    'deflate',
    (body, options) => (((body[0] ?? 0) & METHOD) === DEFLATED ? unwrap : unwrapRaw)(body, options),
  ],
  ['br', promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress)],
]);
