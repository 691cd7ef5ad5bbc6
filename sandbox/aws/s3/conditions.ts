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

interface ReadConditions {
  ifMatch?: string | undefined;
  ifNoneMatch?: string | undefined;
  ifModifiedSince?: string | undefined;
  ifUnmodifiedSince?: string | undefined;
}

export function readConditions(headers: IncomingHttpHeaders): ReadConditions {
  return {
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
    ifModifiedSince: headers['if-modified-since'],
    ifUnmodifiedSince: headers['if-unmodified-since'],
  };
}

export function copySourceConditions(headers: IncomingHttpHeaders): ReadConditions {
  const header = (name: string) => headers[`x-amz-copy-source-${name}`]?.toString();
  return {
    ifMatch: header('if-match'),
    ifNoneMatch: header('if-none-match'),
    ifModifiedSince: header('if-modified-since'),
    ifUnmodifiedSince: header('if-unmodified-since'),
  };
}

/** The answer that the conditions of a read lead to. If there is an ETag, it decides instead of the date. */
export function readOutcome(
  conditions: ReadConditions,
  object: StoredObject,
): 'send' | 'not-modified' | 'failed' {
  const { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince } = conditions;
  if (ifMatch !== undefined) {
    if (!names(ifMatch, object)) return 'failed';
  } else if (ifUnmodifiedSince !== undefined && isLater(object, ifUnmodifiedSince)) {
    return 'failed';
  }
  if (ifNoneMatch !== undefined) return names(ifNoneMatch, object) ? 'not-modified' : 'send';
  return ifModifiedSince !== undefined && !isLater(object, ifModifiedSince) ? 'not-modified' : 'send';
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

function isLater(object: StoredObject, date: string): boolean {
  return Math.floor(object.modified.getTime() / 1000) * 1000 > Date.parse(date);
}
