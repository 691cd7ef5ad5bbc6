import { once } from 'node:events';
import type { Server } from 'node:net';
import { portOf } from '#sandbox/ports.ts';

/** Lets a server listen on loopback until the test ends, and its connections with it. @returns `127.0.0.1:<port>` */
export async function listening(server: Server & { closeAllConnections?: () => void }): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections?.();
  });
  return `127.0.0.1:${portOf(server)}`;
}
