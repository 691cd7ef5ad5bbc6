import type { CheckProblem } from '../check/problem.ts';
import { showProblems } from '../check/show-problems.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError } from '../terminal/command-errors.ts';
import type { Output } from '../terminal/output.ts';
import { problemsOfChange } from './changed-registry.ts';
import { changesInWords } from './changes/changes-in-words.ts';
import { differencesOf } from './changes/differences.ts';
import type { Differences } from './changes/differences.ts';
import { ownText } from './own-text.ts';
import { notPulled } from './pull.ts';
import { rememberPulled, writeFile } from './pulled-copy.ts';
import { lastGoodWarning, showWarning, takesEffect } from './last-good-warning.ts';
import { findRegistry, removeFromLastGood, writeRegistry } from './stored-registry.ts';
import { withOthers } from './with-others.ts';
import type { Candidate } from './with-others.ts';

interface PushOptions {
  withProblems?: boolean | undefined;
  acceptRemovals?: boolean | undefined;
}

/** What `registry push` has done. */
interface Pushed {
  isWritten: boolean;
  /** What changes for whom, in sentences. */
  changes: string[];
  differences: Differences;
  /** Why the functions will use the last good registry, `null` when they will not. */
  warning: string | null;
  /** Whether changes of others were kept beside these. */
  isMerged: boolean;
  problems: CheckProblem[];
}

/** Makes a file the registry of the stage: checks it, shows what changes, asks, and writes. */
export async function push(
  context: CommandContext,
  file: string,
  { withProblems = false, acceptRemovals = false }: PushOptions,
): Promise<ExitStatus> {
  const { output, questions } = context;
  const stage = await context.stage();
  const own = ownText(file);
  const stored = await findRegistry(stage);
  const candidate = withOthers(stage, file, own, stored);
  assertCertain(candidate, stage, file);
  const { text } = candidate;
  const isMerged = candidate.others === 'changed';
  const differences = differencesOf(stored?.text, text);
  const pushed: Pushed = {
    isWritten: false,
    changes: [],
    differences,
    warning: null,
    isMerged,
    problems: [],
  };
  if (stored?.text === text) {
    if (own !== text) writeFile(file, text);
    rememberPulled(file, stage, stored);
    output.result(pushed, () => output.line(`${file} is the registry of ${stage.name} already.`));
    return 0;
  }
  const { problems, fresh, entries } = problemsOfChange(stage, stored?.text, text);
  pushed.problems = problems;
  if (fresh.length > 0 && !withProblems) {
    output.result(pushed, () => {
      showProblems(output, file, problems, entries);
      output.line('Nothing was written. "--with-problems" writes it all the same.');
    });
    return 1;
  }
  const telling = { now: context.now(), showAddresses: process.stdout.isTTY && !output.isJson };
  pushed.changes = changesInWords(stored?.text, text, telling);
  const accepted = acceptRemovals ? differences.removed : [];
  pushed.warning = await lastGoodWarning(stage, text, accepted);
  if (!output.isJson) showChanges(output, pushed);
  if (!(await questions.confirm(`Change the registry of ${stage.name}?`))) {
    output.note('Nothing was changed.');
    return 1;
  }
  // First: between the two writes, a tick must not take the removals for a mistake.
  if (accepted.length > 0) await removeFromLastGood(stage, accepted);
  const version = await writeRegistry(stage, text, stored?.version ?? null);
  if (version === undefined) throw new CommandError(changedMeanwhile(stage));
  if (own !== text) writeFile(file, text);
  rememberPulled(file, stage, { version, text });
  pushed.isWritten = true;
  output.result(pushed, () => {
    output.line(`The registry of ${stage.name} is changed. ${takesEffect(stage, pushed.warning)}`);
  });
  return 0;
}

function changedMeanwhile({ name }: Stage): string {
  return `nothing was written: somebody else changed the registry of ${name} at this moment (S3 does not say who). Push again: it shows their changes with yours`;
}

/** @throws {CommandError} when it is not certain what to write */
function assertCertain({ others, conflicts }: Candidate, stage: Stage, file: string): void {
  if (others === 'unknown') throw new CommandError(notPulled(file, stage.name));
  if (conflicts.length === 0) return;
  throw new CommandError(
    `nothing was written: somebody else changed the registry of ${stage.name} since you pulled it (S3 does not say who), and both of you changed ${conflicts.join(', ')}. ` +
      `"daybook registry pull ${file} --merge" keeps your other changes, and names those to make again`,
  );
}

function showChanges(output: Output, { changes, differences, warning, isMerged }: Pushed): void {
  if (isMerged) {
    output.note('Somebody else changed the registry since you pulled it. Their changes stay. Yours are:');
  }
  for (const sentence of changes) output.line(sentence);
  showWarning(output, warning);
  if (warning !== null && differences.removed.length > 0)
    output.note('If the removed merchants are meant to be gone, push with "--accept-removals".');
}
