import type { CommandContext } from './context.ts';
import type { GlobalOptions } from './stage/global-options.ts';

/** 0: done and fine. 1: it failed, or found problems. 130: interrupted. */
export type ExitStatus = 0 | 1 | 130;

/**
 * Does the work of a command. What it needs is loaded here and not before, so that `--help` starts at once.
 *
 * @param work imports the command's own work and calls it
 */
export async function perform(
  command: { optsWithGlobals: () => GlobalOptions },
  work: (context: CommandContext) => Promise<ExitStatus>,
): Promise<void> {
  const [{ createContext }, { listenToInterruptions }] = await Promise.all([
    import('./context.ts'),
    import('./interruptions.ts'),
  ]);
  process.exitCode = await work(createContext(command.optsWithGlobals(), listenToInterruptions()));
}
