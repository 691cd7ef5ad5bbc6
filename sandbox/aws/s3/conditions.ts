import type { IncomingHttpHeaders } from 'node:http';
import { s3Errors } from './errors.ts';
import type { StoredObject } from './files/object-files.ts';
import { ServiceError } from '../service.ts';

/**
 * Checks the conditions of a write or delete against the current object.
 * @throws ServiceError PreconditionFailed, or NoSuchKey when If-Match finds no object
 */
export function checkWrite(
  headers: IncomingHttpHeaders,
  key: string,
  present: StoredObject | undefined,
): void {
  const ifNoneMatch = headers['if-none-match'];
  const ifMatch = headers['if-match'];
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch !== '*')
      throw s3Errors.notImplemented('If-None-Match on a write with a value other than *');
    if (present !== undefined) throw s3Errors.preconditionFailed('If-None-Match');
  }
  if (ifMatch !== undefined) {
    if (present === undefined) throw s3Errors.noSuchKey(key);
    if (!names(ifMatch, present)) throw s3Errors.preconditionFailed('If-Match');
  }
}

/** The answer that the conditions of a read lead to. */
export function readOutcome(
  headers: IncomingHttpHeaders,
  object: StoredObject,
): 'send' | 'not-modified' | 'failed' {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch !== undefined && !names(ifMatch, object)) return 'failed';
  return ifNoneMatch !== undefined && names(ifNoneMatch, object) ? 'not-modified' : 'send';
}

/** The answer to a GET or HEAD when the client already has the current object. */
export function notModified(object: StoredObject): ServiceError {
  return new ServiceError(304, 'NotModified', 'Not Modified', {
    headers: { etag: `"${object.attributes.etag}"`, 'last-modified': object.modified.toUTCString() },
  });
}

function names(list: string, object: StoredObject): boolean {
  return list
    .split(',')
    .map((etag) => etag.trim().replace(/^(?:W\/)?"(.*)"$/, '$1'))
    .some((etag) => etag === '*' || etag === object.attributes.etag);
}
