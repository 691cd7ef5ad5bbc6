import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty directory of a test. It is removed at the end of all tests. */
export function newDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'test-'));
}
