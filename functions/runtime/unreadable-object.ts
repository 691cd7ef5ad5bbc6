import { InterruptedReadError, StoredObjectError } from './s3-objects.ts';
import { StorageError } from '#records/errors/storage-error.ts';

/**
 * Whether an object is not one that Daybook writes there, or is refused: no failure of S3 or the connection.
 */
export function isUnreadableObject(error: unknown): error is StoredObjectError | StorageError {
  if (error instanceof InterruptedReadError) return false;
  return error instanceof StoredObjectError || (error instanceof StorageError && error.isRefusedObject);
}
