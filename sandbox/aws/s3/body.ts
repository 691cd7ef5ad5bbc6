import { createWriteStream, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { ObjectFiles } from './files/object-files.ts';
import { Writable } from 'node:stream';
import { XMLParser } from 'fast-xml-parser';
import type * as z from 'zod';
import { s3Errors } from './errors.ts';
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { CRC32_HEADER, crc32Text, type Checksum } from './parts.ts';
import { ServiceError } from '../service.ts';

/**
 * Streams a request's payload to a file and passes it to `use`, which may move the file. Otherwise it is removed afterwards.
 * @throws ServiceError as `receiveBody` and `use` do
 */
export async function receiveFile<T>(
  files: ObjectFiles,
  message: IncomingMessage,
  use: (path: string, body: ReceivedBody) => T,
): Promise<T> {
  const path = files.incomingPath();
  try {
    return use(path, await receiveBody(message, createWriteStream(path)));
  } finally {
    rmSync(path, { force: true });
  }
}

const namedReferences: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  parseTagValue: false,
  trimValues: false,
  // The parser does not decode numeric references, but the SDK uses them for control characters in keys.
  processEntities: false,
  tagValueProcessor: (_name, value) => decodeReferences(value),
  isArray: (name) => name === 'Part' || name === 'Object',
});

/**
 * Reads and checks a document in a request's body.
 * @throws ServiceError MalformedXML if it does not fit the schema, and as `receiveBody` does
 */
export async function receiveXml<T>(message: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  await receiveBody(message, sink);
  const result = schema.safeParse(parse(Buffer.concat(chunks)));
  if (!result.success) throw s3Errors.malformedXml();
  return result.data;
}

function parse(body: Buffer): unknown {
  try {
    return parser.parse(body.toString('utf8'));
  } catch {
    throw s3Errors.malformedXml();
  }
}

function decodeReferences(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return namedReferences[name] ?? whole;
      return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
    },
  );
}

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

/** The facts about a body that was read to its end and whose checksums are right. */
interface ReceivedBody {
  size: number;
  /** Lowercase hexadecimal. */
  md5: string;
  checksum: Checksum | undefined;
}

/**
 * Streams a request's payload into `sink`, with any transfer coding, and verifies what the client said about it:
 * length, x-amz-content-sha256 and CRC32.
 * @throws ServiceError BadDigest, XAmzContentSHA256Mismatch, IncompleteBody, InvalidRequest
 */
async function receiveBody(request: IncomingMessage, sink: Writable): Promise<ReceivedBody> {
  const awsChunked = isAwsChunked(request);
  const trailers = new Map<string, string>();
  const isChecked = announcesChecksum(request);
  let checksum = 0;
  const md5 = createHash('md5');
  const sha256 = createHash('sha256');
  let size = 0;
  await pipeline(
    // A malformed body does not destroy the stream, because the refusal still has to go out on the same connection.
    awsChunked ? decodeAwsChunked(request.iterator({ destroyOnReturn: false }), trailers) : request,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        size += chunk.length;
        md5.update(chunk);
        sha256.update(chunk);
        checksum = crc32(chunk, checksum);
        yield chunk;
      }
    },
    sink,
  );

  const claimed = (name: string) => request.headers[name]?.toString() ?? trailers.get(name);
  const length = claimed('x-amz-decoded-content-length');
  if (awsChunked && length !== undefined && Number(length) !== size) throw s3Errors.incompleteBody();
  verifyHash(claimed, sha256.digest('hex'));
  return {
    size,
    md5: md5.digest('hex'),
    checksum: isChecked ? verifiedChecksum(claimed, crc32Text(checksum)) : undefined,
  };
}

type Claims = (name: string) => string | undefined;

function verifyHash(claimed: Claims, computed: string): void {
  // Other values mean that the payload is not signed, or only chunk by chunk.
  const sha256 = claimed('x-amz-content-sha256') ?? '';
  if (/^[0-9a-f]{64}$/.test(sha256) && sha256 !== computed) {
    throw new ServiceError(
      400,
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    );
  }
}

function verifiedChecksum(claimed: Claims, computed: string): Checksum {
  const value = claimed(CRC32_HEADER);
  if (value === undefined) {
    throw new ServiceError(400, 'MalformedTrailerError', `The trailer ${CRC32_HEADER} is missing.`);
  }
  if (value !== computed) throw s3Errors.badDigest('CRC32');
  return { value, type: 'FULL_OBJECT' };
}

/** Whether the payload is in AWS's own chunks, inside the transfer coding of HTTP. */
function isAwsChunked(request: IncomingMessage): boolean {
  const sha256 = request.headers['x-amz-content-sha256']?.toString() ?? '';
  return (
    sha256.startsWith('STREAMING-') || (request.headers['content-encoding'] ?? '').includes('aws-chunked')
  );
}

function announcesChecksum({ headers }: IncomingMessage): boolean {
  const sent = Object.keys(headers).filter((name) => /^x-amz-checksum-(?!type$|algorithm$|mode$)/.test(name));
  const trailing = (headers['x-amz-trailer']?.toString() ?? '').split(',').map((name) => name.trim());
  const names = [...sent, ...trailing.filter((name) => name.startsWith('x-amz-checksum-'))];
  const other = names.find((name) => name !== CRC32_HEADER);
  if (other !== undefined) throw s3Errors.notImplemented(other);
  return names.length > 0;
}
