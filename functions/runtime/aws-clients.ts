import type { Agent } from 'node:http';
import https from 'node:https';

// An import would also load what `node:http` only passes on, Node's fetch: a fifth of a cold start.
const http = process.getBuiltinModule('node:http');

const agents: Agent[] = [];

/**
 * Time limits and connections of a client. Without `throwOnRequestTimeout` the SDK only logs a late request.
 * @param requestTimeout milliseconds
 * @param mostConnections requests at a time; further ones wait
 */
export function requestHandler(requestTimeout: number, mostConnections = 50) {
  const options = { keepAlive: true, maxSockets: mostConnections };
  const [httpAgent, httpsAgent] = [new http.Agent(options), new https.Agent(options)];
  agents.push(httpAgent, httpsAgent);
  return { connectionTimeout: 5_000, requestTimeout, throwOnRequestTimeout: true, httpAgent, httpsAgent };
}

/**
 * While a function is frozen, the other side closes what is idle, unheard: a mail over such a connection
 * would be held, other calls tried again over the next dead one.
 */
export function dropIdleConnections(): void {
  for (const { freeSockets } of agents) {
    for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
  }
}
