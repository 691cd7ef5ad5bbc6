import { CommanderError } from 'commander';
import { createProgram } from './program.ts';
import { goOnWithoutReaders } from './terminal/lost-output.ts';

goOnWithoutReaders();

/** commander has printed its message. It ends with 1 for a mistake on the command line, and with 0 for help. */
function statusOf(error: CommanderError): number {
  return error.exitCode === 0 ? 0 : 2;
}

try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = statusOf(error);
  else {
    const { complain } = await import('./complain.ts');
    process.exitCode = complain(error);
  }
}
