import type { Server } from 'node:net';

/** The port on which the server listens. Throws `Error` when it does not listen on a port. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}
