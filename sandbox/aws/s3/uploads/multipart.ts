import { ServiceError, type Answer } from '#sandbox/aws/service.ts';
import { checksumHeaders, compositeChecksum, type Checksum } from './checksums.ts';
import { s3Errors, xmlAnswer } from '../errors.ts';
import { keptHeaders, numberParameter, uploadIdOf, urlEncoded, type S3Request } from '../request.ts';
import type { ObjectFiles } from '../files/object-files.ts';
import { receiveFile, receiveXml } from '../body.ts';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { checkWrite } from '../conditions.ts';
import type { Part } from './upload-files.ts';

const maxPartNumber = 10_000;
const pageSize = 1000;

export function createUpload(files: ObjectFiles, { headers, bucket, key }: S3Request): Answer {
  const algorithm = headers['x-amz-checksum-algorithm']?.toString();
  const type = headers['x-amz-checksum-type'] ?? 'COMPOSITE';
  if ((algorithm ?? 'CRC32') !== 'CRC32' || type !== 'COMPOSITE')
    throw s3Errors.notImplemented(`checksum ${algorithm ?? ''} ${type.toString()}`);
  const uploadId = files.uploads.create({
    bucket,
    key,
    initiated: files.now().toISOString(),
    headers: keptHeaders(headers),
    isChecked: algorithm !== undefined,
  });
  const told: Record<string, string> = algorithm
    ? { 'x-amz-checksum-algorithm': algorithm, 'x-amz-checksum-type': 'COMPOSITE' }
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

const minPartBytes = 5 * 1024 * 1024;

const completeDocument = z.object({
  CompleteMultipartUpload: z.object({
    Part: z.array(z.object({ PartNumber: z.coerce.number().int(), ETag: z.string() })).min(1),
  }),
});
type NamedPart = z.infer<typeof completeDocument>['CompleteMultipartUpload']['Part'][number];

/** Joins the named parts in their order, and puts the result in place under the request's conditions. */
export async function completeUpload(files: ObjectFiles, request: S3Request): Promise<Answer> {
  const { message, headers, bucket, key, query } = request;
  const id = uploadIdOf(query);
  const repeated = files.uploads.completedEtag(id, bucket, key);
  if (repeated !== undefined) return answerAgain(files, request, id, repeated);
  const upload = files.uploads.get(id, bucket, key);
  const document = await receiveXml(message, completeDocument);
  const parts = chosenParts(document.CompleteMultipartUpload.Part, files.uploads.parts(id));
  const path = files.incomingPath();
  try {
    const md5 = await assemble(files, id, parts, path);
    const values = parts.flatMap((part) => part.checksum?.value ?? []);
    const isWhole = upload.isChecked && values.length === parts.length;
    const checksum = isWhole ? compositeChecksum(values) : undefined;
    // Checked again, because another request may have ended the upload since then.
    files.uploads.get(id, bucket, key);
    checkWrite(headers, key, files.find(bucket, key));
    const etag = etagOfParts(parts.map((part) => part.md5));
    files.place(bucket, key, path, { etag, md5, headers: upload.headers, checksum });
    files.uploads.complete(id, { bucket, key, etag });
    return completedAnswer(request, etag, checksum);
  } finally {
    rmSync(path, { force: true });
  }
}

/** A repeated request, as after a lost answer. S3 gives the same answer while the upload's object exists. */
async function answerAgain(
  files: ObjectFiles,
  request: S3Request,
  id: string,
  etag: string,
): Promise<Answer> {
  const { message, bucket, key } = request;
  const { Part } = (await receiveXml(message, completeDocument)).CompleteMultipartUpload;
  const standing = files.find(bucket, key)?.attributes;
  const named = etagOfParts(Part.map(({ ETag }) => ETag.replaceAll('"', '')));
  if (standing?.etag !== etag || named !== etag) throw s3Errors.noSuchUpload(id);
  return completedAnswer(request, etag, standing.checksum);
}

function completedAnswer({ bucket, key }: S3Request, etag: string, checksum: Checksum | undefined): Answer {
  return xmlAnswer('CompleteMultipartUploadResult', {
    Location: `/${bucket}/${key}`,
    Bucket: bucket,
    Key: key,
    ETag: `"${etag}"`,
    ...(checksum && { ChecksumCRC32: checksum.value, ChecksumType: checksum.type }),
  });
}

function chosenParts(named: readonly NamedPart[], received: readonly Part[]): Part[] {
  let before = 0;
  const parts = named.map(({ PartNumber, ETag }) => {
    if (PartNumber <= before) {
      throw refused(
        'InvalidPartOrder',
        'The list of parts was not in ascending order. Parts must be ordered by part number.',
      );
    }
    before = PartNumber;
    const part = received.find(({ number }) => number === PartNumber);
    if (part?.md5 !== ETag.replaceAll('"', '')) {
      throw refused(
        'InvalidPart',
        "One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.",
      );
    }
    return part;
  });
  if (parts.slice(0, -1).some(({ size }) => size < minPartBytes)) {
    throw refused('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');
  }
  return parts;
}

/** Joins the parts in a file. @returns its MD5 in hexadecimal */
async function assemble(
  { uploads }: ObjectFiles,
  id: string,
  parts: readonly Part[],
  path: string,
): Promise<string> {
  const md5 = createHash('md5');
  await pipeline(async function* () {
    for (const { number } of parts) {
      for await (const chunk of createReadStream(uploads.partPath(id, number))) {
        if (!Buffer.isBuffer(chunk)) continue;
        md5.update(chunk);
        yield chunk;
      }
    }
  }, createWriteStream(path));
  return md5.digest('hex');
}

/** S3's ETag of an object made of parts: the MD5 of the parts' MD5s, and their number. */
function etagOfParts(md5s: readonly string[]): string {
  const hash = createHash('md5');
  for (const md5 of md5s) hash.update(md5, 'hex');
  return `${hash.digest('hex')}-${md5s.length}`;
}

function refused(code: string, message: string): ServiceError {
  return new ServiceError(400, code, message);
}
