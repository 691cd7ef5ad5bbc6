import type { ChildProcess } from 'node:child_process';

/** Waits until the process has ended and its output is read. Gives its exit code, `null` when a signal ended it. */
export function exitCodeOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}
