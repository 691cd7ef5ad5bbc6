import { InterruptedReadError, StoredObjectError } from './s3-objects.ts';
import { StorageError } from './storage-error.ts';

/**
 * Whether an object can never be read: it is not one that Daybook writes there, or S3 refuses to give it. A
 * failure of S3 or of the connection is neither.
 */
export function isUnreadableObject(error: unknown): error is StoredObjectError | StorageError {
  if (error instanceof InterruptedReadError) return false;
  return error instanceof StoredObjectError || (error instanceof StorageError && error.isRefusedObject);
}
