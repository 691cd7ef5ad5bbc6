import { CommanderError } from 'commander';
import type { Surroundings } from './terminal/output.ts';
import { createProgram } from './program.ts';

/**
 * A command goes on when nobody reads its output any more, as behind `head`: it may be in the middle of a change. Its
 * exit status stays its own. When the output cannot be written for another reason, such as a full disk, the status is 1.
 */
function goOnWithoutReaders(surroundings: Surroundings): void {
  const { stdout, stderr } = surroundings;
  let isLost = false;
  const listen = (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isLost) return;
    isLost = true;
    stderr.write(`the output cannot be written (${error.code ?? 'unknown error'})\n`);
    surroundings.exitCode = 1;
  };
  stdout.on('error', listen);
  stderr.on('error', listen);
  surroundings.on('exit', (code) => {
    if (isLost && code === 0) surroundings.exitCode = 1;
  });
}

/** Runs one command to its end, and sets the exit status. `args`: the command line after `daybook`. */
export async function main(args: readonly string[], surroundings: Surroundings = process): Promise<void> {
  goOnWithoutReaders(surroundings);
  try {
    await createProgram(surroundings).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // It has printed its message. It ends with 1 for a mistake on the command line, and with 0 for help.
      surroundings.exitCode = error.exitCode === 0 ? 0 : 2;
    } else {
      const { complain } = await import('./complain.ts');
      surroundings.exitCode = complain(error, surroundings.stderr);
    }
  }
}
