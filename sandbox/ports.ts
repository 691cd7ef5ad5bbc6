import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** The TCP port on which the server listens. @throws {Error} when it does not listen on a port */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}

/** A TCP port of 127.0.0.1 on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}
