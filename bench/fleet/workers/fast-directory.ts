import { accessSync, constants, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In memory on Linux, so that short-lived files need not wait for a disk. */
const IN_MEMORY = '/dev/shm';

/** A new directory for files that are written, read and removed thousands of times. */
export function fastDirectory(name: string): string {
  return mkdtempSync(join(isWritable(IN_MEMORY) ? IN_MEMORY : tmpdir(), `daybook-fleet-${name}-`));
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
