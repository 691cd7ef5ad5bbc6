import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm';
/** Bytes. A container may give it 64 MB, and one test alone may write more. */
const NEEDED = 2 * 1024 ** 3;

/**
 * Puts the tests' temporary files into one directory, which is removed at the end: in memory, where there is room for them. A test
 * writes hundreds of small files, objects of its S3 above all, and would wait for the disk nearly half of its time. A `TMPDIR` that
 * somebody has set has the directory in it.
 */
export function setup(): void {
  const isInMemory = process.env['TMPDIR'] === undefined && freeBytes() >= NEEDED;
  const directory = mkdtempSync(join(isInMemory ? MEMORY : tmpdir(), 'daybook-tests-'));
  // Open to all, like /tmp: a test runs a process as another user.
  chmodSync(directory, 0o1777);
  process.env['TMPDIR'] = directory;
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
}

function freeBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize;
  } catch {
    // Not a Linux.
    return 0;
  }
}
