import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

type Unpack = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const unzip = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip);
const unwrap = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);
const unwrapRaw = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw);

/** The lower half of the first byte names zlib's only method. Services also send the bare format. */
const [METHOD, DEFLATED] = [0x0f, 0x08];

export const CODINGS = new Map<string, Unpack>([
  ['gzip', unzip],
  ['x-gzip', unzip],
  [
    'deflate',
    (body, options) => (((body[0] ?? 0) & METHOD) === DEFLATED ? unwrap : unwrapRaw)(body, options),
  ],
  ['br', promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress)],
]);
