import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import type { Server } from 'node:net';
import { portOf } from '#sandbox/ports.ts';

/** Whether a test may be skipped where the program that it needs is missing: everywhere but in continuous integration. */
export const MAY_SKIP = process.env['DAYBOOK_TESTS'] !== 'all';

/** Gives up the rights of root by itself, after its modules are loaded: their folder may be closed to other users. */
export const WITHOUT_ROOT = `if (process.getuid?.() === 0) {
  process.setgroups([]);
  process.setgid(65_534);
  process.setuid(65_534);
}`;

/** An empty directory of a test. It is removed at the end of all tests. */
export function newDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'test-'));
}

/** Lets a server listen on loopback until the test ends, and its connections with it. @returns `127.0.0.1:<port>` */
export async function listening(server: Server & { closeAllConnections?: () => void }): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections?.();
  });
  return `127.0.0.1:${portOf(server)}`;
}
