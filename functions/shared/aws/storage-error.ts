import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { DaybookError } from '#domain/errors/daybook-error.ts';

/** S3 failed, or refused; says at what. Retries of the SDK are over by then. */
export class StorageError extends DaybookError {
  override readonly name = 'StorageError';
  /** The API's name of the operation, such as `PutObject`. */
  readonly operation: string;
  /** The key or prefix. */
  readonly key: string;
  /** The literal name of what failed, such as `AccessDenied`. */
  readonly code: string;
  /** Of HTTP; `undefined` where there was no answer, or none to its end. */
  readonly status: number | undefined;
  constructor(operation: string, key: string, code: string, status: number | undefined) {
    super(`S3 ${operation} of ${key} failed: ${code}${status === undefined ? '' : ` (HTTP ${status})`}`);
    this.operation = operation;
    this.key = key;
    this.code = code;
    this.status = status;
  }

  /**
   * Whether S3 is at work and will not give this object, whoever asks how often: it lies in an archive, or is encrypted with
   * a key that Daybook may not use.
   */
  get isRefusedObject(): boolean {
    return this.operation === 'GetObject' && (this.status === 400 || this.status === 403);
  }
}

/** Answers that the stores decide by: not modified, not there, a conflict, a condition that does not hold. */
const DECIDED_BY_STATUS = new Set([304, 404, 409, 412]);
/** Not there either, but no object: a wrong bucket must not look like a day that nobody has sealed yet. */
const NOT_AN_OBJECT = new Set(['NoSuchBucket', 'NoSuchUpload']);

const inputSchema = z.lazy(() => z.object({ Key: z.string().optional(), Prefix: z.string().optional() }));
const failureSchema = z.lazy(() =>
  z.object({
    name: z.string().optional(),
    code: z.string().optional(),
    $metadata: z.object({ httpStatusCode: z.int().optional() }).optional(),
  }),
);

/** The failure of an operation, whatever the SDK or a stream makes of it. */
export function storageError(operation: string, key: string, error: unknown): StorageError {
  const failure = failureSchema.safeParse(error).data ?? {};
  const code = failure.code ?? failure.name ?? 'UnknownError';
  return new StorageError(operation, key, code, failure.$metadata?.httpStatusCode);
}

/** Makes every failure of the client a {@link StorageError}, save those answers that the stores decide by. */
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
