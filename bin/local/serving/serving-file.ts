import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameOfProcess } from '#runtime/running-process.ts';
import { SERVING_FILE } from '../../daybook/stage/local-run.ts';
import type { Serving } from '../../daybook/stage/local-run.ts';
import { LOCAL_STAGE } from './stage-names.ts';

/**
 * Writes the file that tells `daybook --local` how to reach this process. It is there as a whole or not at all, because a command may read it at any time.
 *
 * @param environment the variables that lead the AWS SDK to the sandboxes
 * @param clockAhead milliseconds by which the run's clock is ahead of the machine's
 */
export function writeServingFile(
  directory: string,
  environment: Record<string, string>,
  clockAhead = 0,
): void {
  const file = join(directory, SERVING_FILE);
  const serving: Serving = { stage: LOCAL_STAGE, environment, process: nameOfProcess(), clockAhead };
  // A link that somebody put there is not followed.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(serving, null, 2)}\n`, { flag: 'wx' });
  renameSync(`${file}.new`, file);
}
