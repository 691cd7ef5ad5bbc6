import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { DaybookError } from '#domain/errors/daybook-error.ts';

/** S3 failed or refused. Names the operation. The SDK's own retries are over by then. */
export class StorageError extends DaybookError {
  override readonly name = 'StorageError';
  /** Such as `PutObject`. */
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

  /** Refused every time: archived, or encrypted with a key that Daybook may not use. */
  get isRefusedObject(): boolean {
    return this.operation === 'GetObject' && (this.status === 400 || this.status === 403);
  }
}

const DECIDED_BY_STATUS = new Set([304, 404, 409, 412]);
/** Also 404. A wrong bucket must not look like a day without a revision. */
const NOT_AN_OBJECT = new Set(['NoSuchBucket', 'NoSuchUpload']);

const inputSchema = z.lazy(() => z.object({ Key: z.string().optional(), Prefix: z.string().optional() }));
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

/** Turns failures into {@link StorageError}, except the answers that the stores handle themselves. */
export function namingFailures(client: S3Client): S3Client {
  client.middlewareStack.add(
    (next, context) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        const { Key, Prefix } = inputSchema.safeParse(request.input).data ?? {};
        const operation = (context.commandName ?? 'request').replace(/Command$/, '');
        const failure = storageError(operation, Key ?? Prefix ?? '(no key)', error);
        const { status, code } = failure;
        if (status !== undefined && DECIDED_BY_STATUS.has(status) && !NOT_AN_OBJECT.has(code)) throw error;
        throw failure;
      }
    },
    { step: 'initialize', name: 'namingFailures', priority: 'high' },
  );
  return client;
}
