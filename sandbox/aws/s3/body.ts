import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { decodeAwsChunked } from './chunked-body.ts';
import { checksumAlgorithms, checksumHeader, startChecksum } from './checksums.ts';
import type { Checksum, ChecksumAlgorithm } from './checksums.ts';
import { s3Errors } from './errors.ts';
import { ServiceError } from '../service.ts';

/** What is known of a body once it was read to its end and its checksums agreed. */
export interface ReceivedBody {
  size: number;
  /** Lowercase hexadecimal. */
  md5: string;
  /** The one that the client sent, in a header or a trailer. */
  checksum: Checksum | undefined;
}

/**
 * Streams a request's payload into `sink`, whatever the transfer coding, and verifies what the client said of it:
 * length, Content-MD5, x-amz-content-sha256 and one x-amz-checksum-…
 * @throws ServiceError BadDigest, XAmzContentSHA256Mismatch, IncompleteBody, InvalidRequest
 */
export async function receiveBody(request: IncomingMessage, sink: Writable): Promise<ReceivedBody> {
  const headers = request.headers;
  const header = (name: string) => headers[name]?.toString();
  const awsChunked = isAwsChunked(request);
  const trailers = new Map<string, string>();
  const algorithm = announcedAlgorithm(request);
  const checksum = algorithm && startChecksum(algorithm);
  const md5 = createHash('md5');
  const sha256 = createHash('sha256');
  let size = 0;

  await pipeline(
    // Not destroyed on a malformed body: the refusal still has to go out on the same connection.
    awsChunked ? decodeAwsChunked(request.iterator({ destroyOnReturn: false }), trailers) : request,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        size += chunk.length;
        md5.update(chunk);
        sha256.update(chunk);
        checksum?.update(chunk);
        yield chunk;
      }
    },
    sink,
  );

  const length = header('x-amz-decoded-content-length');
  if (awsChunked && length !== undefined && Number(length) !== size) throw s3Errors.incompleteBody();
  const digest = md5.digest();
  const contentMd5 = header('content-md5');
  if (contentMd5 !== undefined && contentMd5 !== digest.toString('base64'))
    throw s3Errors.badDigest('Content-MD5');
  const contentSha256 = header('x-amz-content-sha256') ?? '';
  if (/^[0-9a-f]{64}$/.test(contentSha256) && contentSha256 !== sha256.digest('hex')) {
    throw new ServiceError(
      400,
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    );
  }
  const md5Hex = digest.toString('hex');
  if (algorithm === undefined || checksum === undefined) return { size, md5: md5Hex, checksum: undefined };

  const name = checksumHeader(algorithm);
  const given = header(name) ?? trailers.get(name);
  const computed = checksum.digest().toString('base64');
  if (given === undefined)
    throw new ServiceError(400, 'MalformedTrailerError', `The trailer ${name} is missing.`);
  if (given !== computed) throw s3Errors.badDigest(algorithm);
  return { size, md5: md5Hex, checksum: { algorithm, value: computed, type: 'FULL_OBJECT' } };
}

/** Whether the payload is wrapped in chunks of AWS's own, inside whatever HTTP does. */
function isAwsChunked(request: IncomingMessage): boolean {
  const sha256 = request.headers['x-amz-content-sha256']?.toString() ?? '';
  return (
    sha256.startsWith('STREAMING-') || (request.headers['content-encoding'] ?? '').includes('aws-chunked')
  );
}

function announcedAlgorithm(request: IncomingMessage): ChecksumAlgorithm | undefined {
  const sent = Object.keys(request.headers).filter((name) =>
    /^x-amz-checksum-(?!type$|algorithm$|mode$)/.test(name),
  );
  const trailing = (request.headers['x-amz-trailer']?.toString() ?? '').split(',').map((name) => name.trim());
  const names = new Set([...sent, ...trailing.filter((name) => name.startsWith('x-amz-checksum-'))]);
  if (names.size > 1) {
    throw s3Errors.invalidRequest(
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    );
  }
  const [name] = names;
  if (name === undefined) return undefined;
  const algorithm = checksumAlgorithms.find((known) => checksumHeader(known) === name);
  if (algorithm === undefined) throw s3Errors.notImplemented(name);
  return algorithm;
}
