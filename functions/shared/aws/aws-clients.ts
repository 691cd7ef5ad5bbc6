import type { Agent } from 'node:http';
import https from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import { namingFailures } from './storage-error.ts';

// An import would also load what `node:http` only passes on, Node's fetch: a fifth of a cold start.
const http = process.getBuiltinModule('node:http');

/** Those of all clients. */
const agents: Agent[] = [];

/**
 * Time limits and connections of a client. Without `throwOnRequestTimeout` the SDK only logs that a request took
 * too long, and keeps waiting.
 *
 * @param requestTimeout milliseconds
 * @param mostConnections how many requests can be under way at a time; further ones wait
 */
export function requestHandler(requestTimeout: number, mostConnections = 50) {
  const options = { keepAlive: true, maxSockets: mostConnections };
  const [httpAgent, httpsAgent] = [new http.Agent(options), new https.Agent(options)];
  agents.push(httpAgent, httpsAgent);
  return { connectionTimeout: 5_000, requestTimeout, throwOnRequestTimeout: true, httpAgent, httpsAgent };
}

/**
 * Closes the connections that no request uses. While a function is frozen, the other side closes what is idle, and the
 * function does not hear it. A mail over such a connection would be held, because nobody knows what became of it. Other
 * calls would be tried again, each time over the next dead connection.
 */
export function dropIdleConnections(): void {
  for (const { freeSockets } of agents) {
    for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
  }
}

/**
 * A client of S3. All its attempts together end before a run's time for them does. Region, credentials and
 * endpoint come from the standard variables.
 *
 * @param mostConnections how many requests can be under way at a time; further ones wait
 */
export function createS3Client(mostConnections = 50): S3Client {
  const handler = requestHandler(8_000, mostConnections);
  const client = new S3Client({ maxAttempts: 4, requestHandler: handler, cacheMiddleware: true });
  client.middlewareStack.remove('loggerMiddleware');
  return namingFailures(client);
}
