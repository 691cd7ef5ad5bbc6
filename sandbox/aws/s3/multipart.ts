import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, renameSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { ServiceError, type Answer } from '../service.ts';
import { receiveFile, receiveXml } from './body.ts';
import { checkWrite } from './conditions.ts';
import { s3Errors, xmlAnswer } from './errors.ts';
import type { ObjectFiles } from './files/object-files.ts';
import { checksumHeaders, compositeChecksum, type Checksum, type Part, type Upload } from './parts.ts';
import { keptHeaders, type S3Request } from './request.ts';

const maxPartNumber = 10_000;
const minPartBytes = 5 * 1024 * 1024;

export function createUpload(files: ObjectFiles, { headers, bucket, key }: S3Request): Answer {
  const algorithm = headers['x-amz-checksum-algorithm']?.toString();
  const type = headers['x-amz-checksum-type'] ?? 'COMPOSITE';
  if ((algorithm ?? 'CRC32') !== 'CRC32' || type !== 'COMPOSITE')
    throw s3Errors.notImplemented(`checksum ${algorithm ?? ''} ${type.toString()}`);
  const id = randomUUID().replaceAll('-', '');
  files.uploads.set(id, {
    bucket,
    key,
    initiated: files.now(),
    headers: keptHeaders(headers),
    isChecked: algorithm !== undefined,
    parts: new Map(),
  });
  const told: Record<string, string> = algorithm
    ? { 'x-amz-checksum-algorithm': algorithm, 'x-amz-checksum-type': 'COMPOSITE' }
    : {};
  return xmlAnswer('InitiateMultipartUploadResult', { Bucket: bucket, Key: key, UploadId: id }, told);
}

/** @throws ServiceError NoSuchUpload for an id that is unknown or of another key */
function uploadOf({ uploads }: ObjectFiles, { bucket, key, query }: S3Request): Upload {
  const id = query.get('uploadId') ?? '';
  const upload = uploads.get(id);
  if (upload?.bucket !== bucket || upload.key !== key) throw s3Errors.noSuchUpload(id);
  return upload;
}

/** The upload, if it has not ended. */
function openUpload(files: ObjectFiles, request: S3Request): Upload {
  const upload = uploadOf(files, request);
  if (upload.etag !== undefined) throw s3Errors.noSuchUpload(request.query.get('uploadId') ?? '');
  return upload;
}

export function uploadPart(files: ObjectFiles, request: S3Request): Promise<Answer> {
  const number = Number(request.query.get('partNumber'));
  if (number < 1 || number > maxPartNumber)
    throw refused(
      'InvalidArgument',
      `Part number must be an integer between 1 and ${maxPartNumber}, inclusive`,
    );
  openUpload(files, request);
  return receiveFile(files, request.message, (received, { size, md5, checksum }) => {
    // Looked for again, because the upload may have ended while the body arrived.
    const { parts } = openUpload(files, request);
    const path = parts.get(number)?.path ?? files.incomingPath();
    renameSync(received, path);
    parts.set(number, { path, size, md5, checksum });
    const { 'x-amz-checksum-type': _type, ...told } = checksumHeaders(checksum);
    return { status: 200, headers: { etag: `"${md5}"`, ...told } };
  });
}

export function abortUpload(files: ObjectFiles, request: S3Request): Answer {
  removeParts(openUpload(files, request));
  files.uploads.delete(request.query.get('uploadId') ?? '');
  return { status: 204 };
}

function removeParts({ parts }: Upload): void {
  for (const { path } of parts.values()) rmSync(path, { force: true });
  parts.clear();
}

/** ListMultipartUploads of a bucket. The answer is one page, because a sandbox never has many. */
export function listUploads({ uploads }: ObjectFiles, { bucket }: S3Request): Answer {
  const open = [...uploads].filter(([, upload]) => upload.bucket === bucket && upload.etag === undefined);
  return xmlAnswer('ListMultipartUploadsResult', {
    Bucket: bucket,
    IsTruncated: false,
    Upload: open.map(([UploadId, { key, initiated }]) => ({
      Key: key,
      UploadId,
      Initiated: initiated.toISOString(),
    })),
  });
}

const completeDocument = z.object({
  CompleteMultipartUpload: z.object({
    Part: z.array(z.object({ PartNumber: z.coerce.number().int(), ETag: z.string() })).min(1),
  }),
});
type NamedPart = z.infer<typeof completeDocument>['CompleteMultipartUpload']['Part'][number];

/** Joins the named parts in their order, and puts the result in place under the request's conditions. */
export async function completeUpload(files: ObjectFiles, request: S3Request): Promise<Answer> {
  const { message, headers, bucket, key, query } = request;
  const upload = uploadOf(files, request);
  const document = await receiveXml(message, completeDocument);
  const named = document.CompleteMultipartUpload.Part;
  // A repeated request, as after a lost answer. S3 gives the same answer while the upload's object exists.
  if (upload.etag !== undefined) {
    const standing = files.find(bucket, key)?.attributes;
    const wanted = etagOfParts(named.map(({ ETag }) => ETag.replaceAll('"', '')));
    if (standing?.etag !== upload.etag || wanted !== upload.etag)
      throw s3Errors.noSuchUpload(query.get('uploadId') ?? '');
    return completedAnswer(request, upload.etag, standing.checksum);
  }
  const parts = chosenParts(named, upload.parts);
  const path = files.incomingPath();
  try {
    const md5 = await assemble(parts, path);
    const values = parts.flatMap((part) => part.checksum?.value ?? []);
    const isWhole = upload.isChecked && values.length === parts.length;
    const checksum = isWhole ? compositeChecksum(values) : undefined;
    // Looked for again, because another request may have ended the upload since then.
    openUpload(files, request);
    checkWrite(headers, key, files.find(bucket, key));
    const etag = etagOfParts(parts.map((part) => part.md5));
    files.place(bucket, key, path, { etag, md5, headers: upload.headers, checksum });
    upload.etag = etag;
    removeParts(upload);
    return completedAnswer(request, etag, checksum);
  } finally {
    rmSync(path, { force: true });
  }
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

function chosenParts(named: readonly NamedPart[], received: ReadonlyMap<number, Part>): Part[] {
  let before = 0;
  const parts = named.map(({ PartNumber, ETag }) => {
    if (PartNumber <= before) {
      throw refused(
        'InvalidPartOrder',
        'The list of parts was not in ascending order. Parts must be ordered by part number.',
      );
    }
    before = PartNumber;
    const part = received.get(PartNumber);
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
async function assemble(parts: readonly Part[], path: string): Promise<string> {
  const md5 = createHash('md5');
  await pipeline(async function* () {
    for (const part of parts) {
      for await (const chunk of createReadStream(part.path)) {
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
