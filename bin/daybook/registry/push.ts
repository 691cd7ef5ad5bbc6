import type { CheckProblem } from '../check/problem.ts';
import { showProblems } from '../check/problem.ts';
import type { CommandContext } from '../context.ts';
import { writeFile } from '../files.ts';
import type { ExitStatus } from '../perform.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError } from '../terminal/command-errors.ts';
import type { Output } from '../terminal/output.ts';
import { shown } from '../terminal/shown-text.ts';
import {
  problemsOfChange,
  mendInWords,
  showWarning,
  takesEffect,
  findRegistry,
  forceOf,
  removeFromLastGood,
  writeRegistry,
} from './stored-registry.ts';
import { changesInWords } from './changes/changes-in-words.ts';
import { differencesOf } from './changes/differences.ts';
import type { Differences } from './changes/differences.ts';
import { named } from './changes/settings-phrases.ts';
import { ownText, rememberPulled, withOthers } from './own-file.ts';
import { notPulled } from './pull.ts';
import type { StoredRegistry } from './stored-registry.ts';
import type { Candidate } from './own-file.ts';

interface PushOptions {
  withProblems?: boolean | undefined;
  acceptRemovals?: boolean | undefined;
}

interface Pushed {
  isWritten: boolean;
  /** What changes for whom, in sentences. */
  changes: string[];
  differences: Differences;
  /** Why the functions use the last good registry and not this one, `null` when they use this one. */
  warning: string | null;
  /** The merchants that were taken out of the last good registry. */
  accepted: string[];
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
  const own = ownText(file, stage.lines);
  const stored = await findRegistry(stage);
  const candidate = withOthers(stage, file, own, stored);
  assertCertain(candidate, stage, file);
  const { text } = candidate;
  const isMerged = candidate.others === 'changed';
  const differences = differencesOf(stored?.text, text);
  const pushed: Pushed = {
    ...{ isWritten: false, changes: [], differences, warning: null, accepted: [] },
    ...{ isMerged, problems: [] },
  };
  const force = await forceOf(stage, text);
  const accepted = acceptRemovals ? force.gone : [];
  pushed.warning = acceptRemovals && force.isForAccepting ? null : force.warning;
  if (stored?.text === text && (pushed.warning !== null || accepted.length === 0)) {
    if (own !== text) writeFile(file, text);
    rememberPulled(file, stage, stored);
    output.result(pushed, () => {
      output.line(`${file} is the registry of ${stage.name} already.`);
      if (force.warning !== null) output.line(shown(`${force.warning} ${takesEffect(stage, force)}`, 2_000));
    });
    return force.warning === null ? 0 : 1;
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
  const telling = { now: context.now(), showAddresses: output.isForPerson };
  pushed.changes = changesInWords(stored?.text, text, telling);
  if (!output.isJson) showChanges(output, pushed);
  if (pushed.warning !== null) {
    const how = force.isForAccepting
      ? `"${stage.lines.daybook('registry', 'push', file, '--accept-removals')}" removes these merchants, if that is meant`
      : mendInWords(stage, force);
    output.result(pushed, () =>
      output.line(`Nothing was written: the functions would not use it. ${shown(how, 1_000)}.`),
    );
    return 1;
  }
  if (accepted.length > 0) output.note(`The last good registry loses ${named(accepted)}, too.`);
  if (!(await questions.confirm(`Change the registry of ${stage.name}?`))) {
    output.note('Nothing was changed.');
    return 1;
  }
  const written = await writtenRegistry(stage, stored, text);
  pushed.isWritten = written !== stored;
  if (own !== text) writeFile(file, text);
  rememberPulled(file, stage, written);
  // After the registry: when somebody else was faster with that, nothing is changed. Until then the last good one serves.
  if (accepted.length > 0 && (await removeFromLastGood(stage, accepted))) pushed.accepted = accepted;
  const now = await forceOf(stage, text);
  pushed.warning = now.warning;
  output.result(pushed, () => {
    const done = pushed.isWritten ? 'is changed' : 'stays as it is, and the removals are accepted';
    output.line(`The registry of ${stage.name} ${done}. ${takesEffect(stage, now)}`);
  });
  return now.warning === null ? 0 : 1;
}

/** @throws {CommandError} when somebody else wrote at the same moment */
async function writtenRegistry(
  stage: Stage,
  stored: StoredRegistry | undefined,
  text: string,
): Promise<StoredRegistry> {
  if (stored?.text === text) return stored;
  const version = await writeRegistry(stage, text, stored?.version ?? null);
  if (version === undefined) throw new CommandError(changedMeanwhile(stage));
  return { text, version };
}

function changedMeanwhile({ name }: Stage): string {
  return `nothing was written: somebody else changed the registry of ${name} at this moment (S3 does not say who). Push again: it shows their changes with yours`;
}

/** @throws {CommandError} when it is not certain what to write */
function assertCertain({ others, conflicts }: Candidate, stage: Stage, file: string): void {
  if (others === 'unknown') throw new CommandError(notPulled(file, stage));
  if (conflicts.length === 0) return;
  throw new CommandError(
    `nothing was written: somebody else changed the registry of ${stage.name} since you pulled it (S3 does not say who), and both of you changed ${conflicts.join(', ')}. ` +
      `"${stage.lines.daybook('registry', 'pull', file, '--merge')}" keeps your other changes, and names those to make again`,
  );
}

function showChanges(output: Output, { changes, warning, isMerged }: Pushed): void {
  if (isMerged) {
    output.note('Somebody else changed the registry since you pulled it. Their changes stay. Yours are:');
  }
  for (const sentence of changes) output.line(sentence);
  showWarning(output, warning);
}
