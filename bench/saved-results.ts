import { readFileSync } from 'node:fs';
import { UsageError } from '#bin/local/terminal/usage-error.ts';

/**
 * The results that `--json` wrote.
 *
 * @throws {UsageError} when the file cannot be read
 */
export function savedResults(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--from ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
