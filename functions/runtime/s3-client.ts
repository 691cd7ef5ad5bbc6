import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { storageError } from '#records/errors/storage-error.ts';
import { requestHandler } from './aws-clients.ts';

const DECIDED_BY_STATUS = new Set([304, 404, 409, 412]);
/** Also 404. A wrong bucket must not look like a day without a revision. */
const NOT_AN_OBJECT = new Set(['NoSuchBucket', 'NoSuchUpload']);

const inputSchema = z.lazy(() => z.object({ Key: z.string().optional(), Prefix: z.string().optional() }));
/** Turns failures into {@link StorageError}, except the answers that the stores handle themselves. */
function namingFailures(client: S3Client): S3Client {
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

/** All attempts together end before a run's time for them does. @param mostConnections further requests wait */
export function createS3Client(mostConnections = 50): S3Client {
  const handler = requestHandler(8_000, mostConnections);
  const client = new S3Client({ maxAttempts: 4, requestHandler: handler, cacheMiddleware: true });
  client.middlewareStack.remove('loggerMiddleware');
  return namingFailures(client);
}
