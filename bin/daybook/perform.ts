import type { Writable } from 'node:stream';
import type { CommandContext } from './context.ts';
import type { GlobalOptions } from './stage/lines.ts';

/** 0: done and fine. 1: it failed, or found problems. 130: interrupted. */
export type ExitStatus = 0 | 1 | 130;

/** A stream to a person or a program, such as `process.stdout`. */
export type Stream = Writable & { isTTY?: boolean; columns?: number };

/** What a command has around it: streams, signals and its exit status. Usually `process`. */
export interface Surroundings extends NodeJS.EventEmitter {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: Stream;
  stderr: Stream;
  exitCode?: number | string | null | undefined;
  exit: (code: number) => never;
}

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
