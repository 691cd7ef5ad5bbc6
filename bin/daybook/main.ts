import { CommanderError } from 'commander';
import { createProgram } from './program.ts';
import { goOnWithoutReaders } from './terminal/lost-output.ts';

goOnWithoutReaders();

/** commander has printed its message. It ends with 1 for a mistake on the command line, and with 0 for help. */
function statusOf(error: CommanderError): number {
  return error.exitCode === 0 ? 0 : 2;
}

/**
 * Runs one command to its end, and sets the exit status of the process.
 *
 * @param args the command line after `daybook`
 */
export async function main(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = statusOf(error);
    else {
      const { complain } = await import('./complain.ts');
      process.exitCode = complain(error);
    }
  }
}
