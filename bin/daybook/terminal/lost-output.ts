/** The status of a command whose output is lost. */
const FAILED = 1;

/**
 * A command goes on when nobody reads its output any more, as behind `head`: it may be in the middle of a change. Its
 * exit status stays its own. When the output cannot be written for another reason, such as a full disk, the status is 1.
 */
export function goOnWithoutReaders(): void {
  let isLost = false;
  const listen = (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isLost) return;
    isLost = true;
    process.stderr.write(`the output cannot be written (${error.code ?? 'unknown error'})\n`);
    process.exitCode = FAILED;
  };
  process.stdout.on('error', listen);
  process.stderr.on('error', listen);
  process.on('exit', (code) => {
    if (isLost && code === 0) process.exitCode = FAILED;
  });
}
