import { CommandError } from '../terminal/command-errors.ts';
import type { Stage } from '../stage/stage.ts';
import { shown } from '../terminal/shown-text.ts';
import { checkRegistryText } from './registry-problems.ts';

/**
 * A change of one entry must not bring a problem. What was wrong before is not the fault of the change.
 *
 * @throws {CommandError} with the new problems
 */
export function assertNoNewProblems(stage: Stage, before: string, after: string): void {
  const inWords = (text: string) =>
    checkRegistryText(text, stage.serviceOrigins).map(({ path, reason }) => `${path}: ${reason}`);
  const known = new Set(inWords(before));
  const fresh = inWords(after).filter((problem) => !known.has(problem));
  if (fresh.length > 0) throw new CommandError(`nothing was written: ${shown(fresh.join('; '), 900)}`);
}
