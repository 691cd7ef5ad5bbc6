import { ServiceError, type Answer } from '../service.ts';
import { checkWrite, names } from './conditions.ts';
import { s3Errors } from './errors.ts';
import type { Attributes } from './files/sidecar.ts';
import { keptHeaders, type S3Request } from './request.ts';
import { openObject, type ByteRange, type ObjectFiles, type StoredObject } from './files/object-files.ts';
import { receiveFile } from './body.ts';
import { checksumHeaders } from './parts.ts';

/**
 * Reads a Range header for an object of this size. For several ranges, or another unit than bytes, S3 sends the whole
 * object; then this returns `undefined`.
 * @throws ServiceError InvalidRange if the range contains no byte of the object
 */
function byteRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (first > last) {
    throw new ServiceError(416, 'InvalidRange', 'The requested range is not satisfiable', {
      headers: { 'content-range': `bytes */${size}` },
      details: { RangeRequested: header ?? '', ActualObjectSize: String(size) },
    });
  }
  return { first, last };
}

export function putObject(files: ObjectFiles, { message, headers, bucket, key }: S3Request): Promise<Answer> {
  return receiveFile(files, message, (path, { md5, checksum }) => {
    checkWrite(headers, key, files.find(bucket, key));
    const kept = { etag: md5, md5, headers: keptHeaders(headers), checksum };
    const { attributes } = files.place(bucket, key, path, kept);
    return {
      status: 200,
      headers: { etag: `"${md5}"`, ...checksumHeaders(checksum), ...versionHeader(attributes) },
    };
  });
}

export function getObject(files: ObjectFiles, request: S3Request): Answer {
  const object = wantedObject(files, request);
  const range = byteRange(request.headers.range, object.size);
  if (range === undefined) {
    return { status: 200, headers: wholeHeaders(object, request), body: openObject(object) };
  }
  const { first, last } = range;
  return {
    status: 206,
    headers: {
      ...ownHeaders(object),
      'content-length': String(last - first + 1),
      'content-range': `bytes ${first}-${last}/${object.size}`,
    },
    body: openObject(object, range),
  };
}

export function headObject(files: ObjectFiles, request: S3Request): Answer {
  return { status: 200, headers: wholeHeaders(wantedObject(files, request), request) };
}

export function deleteObject(files: ObjectFiles, { bucket, key, headers }: S3Request): Answer {
  if (headers['if-match'] !== undefined) throw s3Errors.notImplemented('If-Match on a deletion');
  files.remove(bucket, key);
  return { status: 204 };
}

export function deleteObjectVersion(files: ObjectFiles, { bucket, key, query }: S3Request): Answer {
  files.removeVersion(bucket, key, query.get('versionId') ?? '');
  return { status: 204 };
}

function versionHeader({ versionId }: Attributes): Record<string, string> {
  return versionId === undefined ? {} : { 'x-amz-version-id': versionId };
}

function wantedObject(files: ObjectFiles, { headers, bucket, key, query }: S3Request): StoredObject {
  const version = query.get('versionId');
  const object = version === null ? files.find(bucket, key) : files.findVersion(bucket, key, version);
  if (object === undefined) throw version === null ? s3Errors.noSuchKey(key) : s3Errors.noSuchVersion(key);
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch !== undefined && !names(ifMatch, object)) throw s3Errors.preconditionFailed('If-Match');
  if (ifNoneMatch !== undefined && names(ifNoneMatch, object)) throw notModified(object);
  return object;
}

/** The answer to a client that already has the object. */
function notModified({ attributes, modified }: StoredObject): ServiceError {
  return new ServiceError(304, 'NotModified', 'Not Modified', {
    headers: { etag: `"${attributes.etag}"`, 'last-modified': modified.toUTCString() },
  });
}

function wholeHeaders(object: StoredObject, { headers }: S3Request): Record<string, string> {
  // Only for whole objects, because a client compares the checksum with the bytes that it got.
  const checksum = headers['x-amz-checksum-mode'] === 'ENABLED' ? object.attributes.checksum : undefined;
  return { ...ownHeaders(object), 'content-length': String(object.size), ...checksumHeaders(checksum) };
}

function ownHeaders({ attributes, modified }: StoredObject): Record<string, string> {
  return {
    'content-type': 'binary/octet-stream',
    ...attributes.headers,
    'accept-ranges': 'bytes',
    etag: `"${attributes.etag}"`,
    'last-modified': modified.toUTCString(),
    ...versionHeader(attributes),
  };
}
