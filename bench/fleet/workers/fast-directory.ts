import { accessSync, constants, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In memory, where Linux has that: what is kept for a moment only should not wait for a disk. */
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
