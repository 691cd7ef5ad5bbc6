import { createWriteStream, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Answer } from '../service.ts';
import { parseCopySource } from './address.ts';
import { checkWrite, copySourceConditions, readOutcome } from './conditions.ts';
import { s3Errors } from './errors.ts';
import { keptHeaders } from './files/kept-headers.ts';
import { openObject } from './files/object-files.ts';
import type { ObjectFiles } from './files/object-files.ts';
import type { S3Request } from './request.ts';
import { xmlAnswer } from './xml/xml-answer.ts';

/** Copies an object under conditions on its source (x-amz-copy-source-if-…) and on the current object at the target. */
export async function copyObject(files: ObjectFiles, { headers, bucket, key }: S3Request): Promise<Answer> {
  const from = parseCopySource(headers['x-amz-copy-source']?.toString() ?? '');
  const source = files.find(from.bucket, from.key);
  if (source === undefined) throw s3Errors.noSuchKey(from.key);
  if (readOutcome(copySourceConditions(headers), source) !== 'send') {
    throw s3Errors.preconditionFailed('x-amz-copy-source-if-…');
  }
  const replace = headers['x-amz-metadata-directive'] === 'REPLACE';
  if (!replace && from.bucket === bucket && from.key === key) {
    throw s3Errors.invalidRequest(
      'This copy request is illegal because it is trying to copy an object to itself without changing its metadata.',
    );
  }
  const { md5, checksum } = source.attributes;
  const path = files.incomingPath();
  try {
    await pipeline(openObject(source), createWriteStream(path));
    checkWrite(headers, key, files.find(bucket, key));
    const { modified } = files.place(bucket, key, path, {
      // A copy is written in one piece, so its ETag is the MD5 even when the source was uploaded in parts.
      etag: md5,
      md5,
      headers: replace ? keptHeaders(headers) : source.attributes.headers,
      checksum: checksum?.type === 'FULL_OBJECT' ? checksum : undefined,
    });
    return xmlAnswer('CopyObjectResult', { LastModified: modified.toISOString(), ETag: `"${md5}"` });
  } finally {
    rmSync(path, { force: true });
  }
}
