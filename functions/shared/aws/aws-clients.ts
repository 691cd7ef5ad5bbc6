import { S3Client } from '@aws-sdk/client-s3';
import { namingFailures } from './storage-error.ts';

/**
 * Time limits of a client. Without `throwOnRequestTimeout` the SDK only logs that a request took too long,
 * and keeps waiting.
 *
 * @param requestTimeout milliseconds
 */
export function requestHandler(requestTimeout: number) {
  return { connectionTimeout: 5_000, requestTimeout, throwOnRequestTimeout: true };
}

/**
 * A client of S3. All its attempts together end before a run's time for them does. Region, credentials and
 * endpoint come from the standard variables.
 *
 * @param mostConnections how many requests can be under way at a time; further ones wait
 */
export function createS3Client(mostConnections = 50): S3Client {
  const agent = { keepAlive: true, maxSockets: mostConnections };
  const handler = { ...requestHandler(8_000), httpAgent: agent, httpsAgent: agent };
  const client = new S3Client({ maxAttempts: 4, requestHandler: handler, cacheMiddleware: true });
  client.middlewareStack.remove('loggerMiddleware');
  return namingFailures(client);
}
