import { StoredObjectError } from './s3-objects.ts';
import { StorageError } from './storage-error.ts';

/**
 * Whether an object can never be read: it is not one that Daybook writes there, or S3 refuses to give it. A
 * failure of S3 is neither.
 */
export function isUnreadableObject(error: unknown): error is StoredObjectError | StorageError {
  return error instanceof StoredObjectError || (error instanceof StorageError && error.isRefusedObject);
}
