import type { CommandContext } from './context.ts';
import type { GlobalOptions } from './stage/lines.ts';
import type { Surroundings } from './terminal/surroundings.ts';

/** 0: done and fine. 1: it failed, or found problems. 130: interrupted. */
export type ExitStatus = 0 | 1 | 130;

/** Does the work of a command. @param work imports the command's own work and calls it */
export type Perform = (
  command: { optsWithGlobals: () => GlobalOptions },
  work: (context: CommandContext) => Promise<ExitStatus>,
) => Promise<void>;

/** Performs commands in these surroundings. What a command needs is loaded then and not before: `--help` starts at once. */
export function performIn(surroundings: Surroundings): Perform {
  return async (command, work) => {
    const { createContext } = await import('./context.ts');
    surroundings.exitCode = await work(createContext(command.optsWithGlobals(), surroundings));
  };
}
