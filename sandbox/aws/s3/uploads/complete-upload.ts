import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { ServiceError } from '#sandbox/aws/service.ts';
import type { Answer } from '#sandbox/aws/service.ts';
import { checksumHeader, compositeChecksum, startChecksum } from './checksums.ts';
import type { Checksum } from './checksums.ts';
import { checkWrite } from '../conditions.ts';
import { s3Errors } from '../errors.ts';
import type { ObjectFiles } from '../files/object-files.ts';
import { uploadIdOf } from '../query-parameters.ts';
import type { S3Request } from '../request.ts';
import type { Part, Upload } from './upload-files.ts';
import { xmlAnswer } from '../xml/xml-answer.ts';
import { receiveXml } from '../xml/xml-request.ts';

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
    const { md5, checksum } = await assemble(files, id, upload, parts, path);
    const given = checksum && headers[checksumHeader(checksum.algorithm)];
    if (checksum?.type === 'FULL_OBJECT' && given !== undefined && given !== checksum.value) {
      throw s3Errors.badDigest(checksum.algorithm);
    }
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
    ...(checksum && { [`Checksum${checksum.algorithm}`]: checksum.value, ChecksumType: checksum.type }),
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

async function assemble(
  { uploads }: ObjectFiles,
  id: string,
  { checksumAlgorithm: algorithm, checksumType }: Upload,
  parts: readonly Part[],
  path: string,
): Promise<{ md5: string; checksum: Checksum | undefined }> {
  const md5 = createHash('md5');
  const running = algorithm && checksumType === 'FULL_OBJECT' ? startChecksum(algorithm) : undefined;
  await pipeline(async function* () {
    for (const { number } of parts) {
      for await (const chunk of createReadStream(uploads.partPath(id, number))) {
        if (!Buffer.isBuffer(chunk)) continue;
        md5.update(chunk);
        running?.update(chunk);
        yield chunk;
      }
    }
  }, createWriteStream(path));
  return { md5: md5.digest('hex'), checksum: checksumOf() };

  function checksumOf(): Checksum | undefined {
    if (algorithm === undefined) return undefined;
    if (running) return { algorithm, value: running.digest().toString('base64'), type: 'FULL_OBJECT' };
    const values = parts.map(({ checksum }) =>
      checksum?.algorithm === algorithm ? checksum.value : undefined,
    );
    const whole = values.every((value) => value !== undefined);
    return whole ? compositeChecksum(algorithm, values) : undefined;
  }
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
