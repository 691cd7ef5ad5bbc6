import { InterruptedReadError, StoredObjectError } from './s3-objects.ts';
import { StorageError } from './storage-error.ts';

/** Not one that Daybook writes there, or refused. Not a failure of S3 or of the connection. */
export function isUnreadableObject(error: unknown): error is StoredObjectError | StorageError {
  if (error instanceof InterruptedReadError) return false;
  return error instanceof StoredObjectError || (error instanceof StorageError && error.isRefusedObject);
}
