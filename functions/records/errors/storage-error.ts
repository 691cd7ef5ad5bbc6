import * as z from 'zod';
import { DaybookError } from './daybook-error.ts';

/** S3 failed or refused. Names the operation. The SDK's own retries are over by then. */
export class StorageError extends DaybookError {
  override readonly name = 'StorageError';
  readonly operation: string;
  readonly key: string;
  readonly code: string;
  /** `undefined` when there was no complete answer. */
  readonly status: number | undefined;
  constructor(operation: string, key: string, code: string, status: number | undefined) {
    super(`S3 ${operation} of ${key} failed: ${code}${status === undefined ? '' : ` (HTTP ${status})`}`);
    this.operation = operation;
    this.key = key;
    this.code = code;
    this.status = status;
  }

  /** Refused every time: archived, or encrypted with a key that Daybook may not use. Credentials that expired refuse all objects. */
  get isRefusedObject(): boolean {
    const isRefused = this.operation === 'GetObject' && (this.status === 400 || this.status === 403);
    return isRefused && !/Token|Expired|Skewed|AccessKey|Signature/.test(this.code);
  }
}

const failureSchema = z.lazy(() =>
  z.object({
    name: z.string().optional(),
    code: z.string().optional(),
    $metadata: z.object({ httpStatusCode: z.int().optional() }).optional(),
  }),
);

/** The error of a failed operation, from any error of the SDK or of a stream. */
export function storageError(operation: string, key: string, error: unknown): StorageError {
  const failure = failureSchema.safeParse(error).data ?? {};
  const code = failure.code ?? failure.name ?? 'UnknownError';
  return new StorageError(operation, key, code, failure.$metadata?.httpStatusCode);
}
