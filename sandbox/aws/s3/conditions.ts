import type { IncomingHttpHeaders } from 'node:http';
import { s3Errors } from './errors.ts';
import type { StoredObject } from './files/object-files.ts';

/** @throws ServiceError PreconditionFailed, or NoSuchKey when If-Match finds no object */
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

/** Whether the value of `If-Match` or `If-None-Match` is the ETag of this object. `*` is that of every object. */
export function names(condition: string, object: StoredObject): boolean {
  return condition === '*' || condition === `"${object.attributes.etag}"`;
}
