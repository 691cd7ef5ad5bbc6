import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '#sandbox/aws/service.ts';
import { checksumAlgorithms, checksumHeaders } from './checksums.ts';
import type { ChecksumAlgorithm } from './checksums.ts';
import { s3Errors } from '../errors.ts';
import { keptHeaders } from '../files/kept-headers.ts';
import type { ObjectFiles } from '../files/object-files.ts';
import { numberParameter, uploadIdOf, urlEncoded } from '../query-parameters.ts';
import { receiveFile } from './receive-file.ts';
import type { S3Request } from '../request.ts';
import { xmlAnswer } from '../xml/xml-answer.ts';

const maxPartNumber = 10_000;
const pageSize = 1000;

export function createUpload(files: ObjectFiles, { headers, bucket, key }: S3Request): Answer {
  const algorithm = wantedAlgorithm(headers);
  const fullObject = headers['x-amz-checksum-type'] === 'FULL_OBJECT' || algorithm === 'CRC64NVME';
  const type = fullObject ? 'FULL_OBJECT' : 'COMPOSITE';
  const uploadId = files.uploads.create({
    bucket,
    key,
    initiated: files.now().toISOString(),
    headers: keptHeaders(headers),
    checksumAlgorithm: algorithm,
    checksumType: type,
  });
  const told: Record<string, string> = algorithm
    ? { 'x-amz-checksum-algorithm': algorithm, 'x-amz-checksum-type': type }
    : {};
  return xmlAnswer('InitiateMultipartUploadResult', { Bucket: bucket, Key: key, UploadId: uploadId }, told);
}

export function uploadPart(files: ObjectFiles, { message, bucket, key, query }: S3Request): Promise<Answer> {
  const id = uploadIdOf(query);
  const number = numberParameter(query, 'partNumber') ?? 0;
  if (number < 1 || number > maxPartNumber) {
    throw s3Errors.invalidArgument(
      `Part number must be an integer between 1 and ${maxPartNumber}, inclusive`,
      'partNumber',
      String(number),
    );
  }
  files.uploads.get(id, bucket, key);
  return receiveFile(files, message, (path, { size, md5, checksum }) => {
    // Checked again, because the upload may have ended while the body arrived.
    files.uploads.get(id, bucket, key);
    const modified = files.now().toISOString();
    files.uploads.placePart(id, path, { number, size, md5, checksum, modified });
    const { 'x-amz-checksum-type': _type, ...told } = checksumHeaders(checksum);
    return { status: 200, headers: { etag: `"${md5}"`, ...told } };
  });
}

export function abortUpload({ uploads }: ObjectFiles, { bucket, key, query }: S3Request): Answer {
  const id = uploadIdOf(query);
  uploads.get(id, bucket, key);
  uploads.remove(id);
  return { status: 204 };
}

export function listParts({ uploads }: ObjectFiles, { bucket, key, query }: S3Request): Answer {
  const id = uploadIdOf(query);
  const { checksumAlgorithm, checksumType } = uploads.get(id, bucket, key);
  const marker = numberParameter(query, 'part-number-marker') ?? 0;
  const maxParts = Math.min(numberParameter(query, 'max-parts') ?? pageSize, pageSize);
  const parts = uploads.parts(id).filter(({ number }) => number > marker);
  const page = parts.slice(0, maxParts);
  return xmlAnswer('ListPartsResult', {
    Bucket: bucket,
    Key: key,
    UploadId: id,
    PartNumberMarker: marker,
    NextPartNumberMarker: page.at(-1)?.number,
    MaxParts: maxParts,
    IsTruncated: parts.length > page.length,
    ChecksumAlgorithm: checksumAlgorithm,
    ChecksumType: checksumAlgorithm && checksumType,
    Part: page.map(({ number, md5, size, modified, checksum }) => ({
      PartNumber: number,
      LastModified: modified,
      ETag: `"${md5}"`,
      Size: size,
      ...(checksum && { [`Checksum${checksum.algorithm}`]: checksum.value }),
    })),
    StorageClass: 'STANDARD',
  });
}

/** ListMultipartUploads with a prefix. The answer is one page, because a sandbox never has many. */
export function listUploads({ uploads }: ObjectFiles, { bucket, query }: S3Request): Answer {
  const prefix = query.get('prefix') ?? '';
  const encoded = query.get('encoding-type') === 'url';
  const encode = (text: string) => (encoded ? urlEncoded(text) : text);
  return xmlAnswer('ListMultipartUploadsResult', {
    Bucket: bucket,
    Prefix: encode(prefix),
    EncodingType: encoded ? 'url' : undefined,
    MaxUploads: pageSize,
    IsTruncated: false,
    Upload: uploads
      .list(bucket)
      .filter(({ key }) => key.startsWith(prefix))
      .map(({ key, id, initiated }) => ({
        Key: encode(key),
        UploadId: id,
        Initiated: initiated,
        StorageClass: 'STANDARD',
      })),
  });
}

function wantedAlgorithm(headers: IncomingHttpHeaders): ChecksumAlgorithm | undefined {
  const name = headers['x-amz-checksum-algorithm'];
  if (name === undefined) return undefined;
  const algorithm = checksumAlgorithms.find((known) => known === name);
  if (algorithm === undefined) throw s3Errors.notImplemented(`checksum algorithm ${name.toString()}`);
  return algorithm;
}
