import type { CheckProblem } from '../check/problem.ts';
import { checkRegistryText } from '../check/registry-text.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { shown } from '../terminal/shown-text.ts';

/** Every problem that a text would have as the registry of the stage. */
function problemsFor(stage: Stage, text: string): { problems: CheckProblem[]; entries: number } {
  const { serviceOrigins: origins, credentialsSecretPrefix: secretPrefix = null } = stage;
  return checkRegistryText(text, { origins, secretPrefix });
}

function inWords({ path, message }: CheckProblem): string {
  return `${path}: ${message}`;
}

/** What is wrong with a change of the registry. */
export interface ChangeProblems {
  /** All problems of the new text. */
  problems: CheckProblem[];
  /** Those that the registry of the stage does not have yet. */
  fresh: CheckProblem[];
  /** The number of merchants in the new text. */
  entries: number;
}

/** The problems of a change. @param before the registry of the stage, `undefined` when it has none */
export function problemsOfChange(stage: Stage, before: string | undefined, after: string): ChangeProblems {
  const known = new Set(before === undefined ? [] : problemsFor(stage, before).problems.map(inWords));
  const { problems, entries } = problemsFor(stage, after);
  return { problems, fresh: problems.filter((problem) => !known.has(inWords(problem))), entries };
}

/**
 * A change of one entry must not bring a problem. What was wrong before is not the fault of the change.
 *
 * @throws {CommandError} with the new problems
 */
export function assertNoNewProblems(stage: Stage, before: string, after: string): void {
  const { fresh } = problemsOfChange(stage, before, after);
  if (fresh.length === 0) return;
  throw new CommandError(`nothing was written: ${shown(fresh.map(inWords).join('; '), 900)}`);
}
