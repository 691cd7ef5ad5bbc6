import type { CheckProblem } from '../check/problem.ts';
import { showProblems } from '../check/problem.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError } from '../terminal/command-errors.ts';
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
import { changesInWords } from './changes-in-words.ts';
import { differencesOf } from './differences.ts';
import type { Differences } from './differences.ts';
import { named } from './settings-phrases.ts';
import { changesOfOthers, ownText, rememberPulled } from './own-file.ts';
import type { StoredRegistry } from './stored-registry.ts';

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
  const text = ownText(file, stage.lines);
  const stored = await findRegistry(stage);
  assertNoOthers(stage, file, text, stored);
  const differences = differencesOf(stored?.text, text);
  const pushed: Pushed = {
    isWritten: false,
    changes: [],
    differences,
    warning: null,
    accepted: [],
    problems: [],
  };
  const force = await forceOf(stage, text);
  const accepted = acceptRemovals ? force.gone : [];
  pushed.warning = acceptRemovals && force.isForAccepting ? null : force.warning;
  if (stored?.text === text && (pushed.warning !== null || accepted.length === 0)) {
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
  if (!output.isJson) {
    for (const sentence of pushed.changes) output.line(sentence);
    showWarning(output, pushed.warning);
  }
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
  if (version === undefined) throw new CommandError(pullAgain(stage));
  return { text, version };
}

function pullAgain({ name, lines }: Stage): string {
  return `nothing was written: somebody else changed the registry of ${name} since you pulled it (S3 does not say who). "${lines.daybook('registry', 'pull')}" keeps your text beside theirs: make your changes again`;
}

/** @throws {CommandError} when a push could undo what others changed */
function assertNoOthers(stage: Stage, file: string, text: string, stored: StoredRegistry | undefined): void {
  const others = changesOfOthers(stage, file, text, stored);
  if (others === 'none') return;
  throw new CommandError(
    others === 'changed'
      ? pullAgain(stage)
      : `${file} was not pulled from ${stage.name}, so Daybook cannot separate your changes from those of others: "${stage.lines.daybook('registry', 'pull', file)}" keeps your text beside theirs`,
  );
}
