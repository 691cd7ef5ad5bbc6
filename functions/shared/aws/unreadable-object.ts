import { StoredObjectError } from './s3-objects.ts';
import { StorageError } from './storage-error.ts';

/**
 * Whether an object could not be read because of what it is: it is not what Daybook writes there, or S3 does not give it
 * out. An S3 that fails is neither.
 */
export function isUnreadableObject(error: unknown): error is StoredObjectError | StorageError {
  return error instanceof StoredObjectError || (error instanceof StorageError && error.isRefusedObject);
}
