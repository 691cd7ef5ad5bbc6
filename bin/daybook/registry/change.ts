import type { CommandContext, ExitStatus } from '../context.ts';
import type { Stage } from '../stage/stage.ts';
import { showProblems } from '../check/problem.ts';
import type { CheckProblem } from '../check/problem.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { NOTHING_CHANGED } from '../terminal/questions.ts';
import { shown } from '../terminal/shown-text.ts';
import { changesInWords, named } from './changes-in-words.ts';
import { differencesOf } from './differences.ts';
import {
  forceOf,
  mendInWords,
  problemsOfChange,
  removeFromLastGood,
  takesEffect,
  usableText,
  writeRegistry,
} from './stored-registry.ts';
import type { StoredRegistry } from './stored-registry.ts';

export interface ChangeOptions {
  withProblems?: boolean | undefined;
  acceptRemovals?: boolean | undefined;
}

interface NewRegistry {
  text: string;
  /** The registry that it replaces. `undefined`: there is none. */
  stored: StoredRegistry | undefined;
  /** What the text is, such as `merchants.json`. */
  name: string;
  /** The command that does this, to be typed again with another option. */
  command: readonly string[];
  /** Called when the registry of the stage has this text. */
  onStored?: () => void;
  /** What to say when somebody else changes the registry at this moment. */
  changedMeanwhile: string;
}

/** Makes a text the registry of the stage: checks it, shows what changes, asks, and writes. */
export async function changeRegistry(
  context: CommandContext,
  stage: Stage,
  { withProblems = false, acceptRemovals = false }: ChangeOptions,
  { text, stored, name, command, onStored = () => undefined, changedMeanwhile }: NewRegistry,
): Promise<ExitStatus> {
  const { output, questions } = context;
  const before = await usableText(stage, stored);
  const force = await forceOf(stage, text);
  const accepted = acceptRemovals ? force.gone : [];
  const changed = {
    isWritten: false,
    changes: new Array<string>(),
    differences: differencesOf(before, text),
    /** Why the functions use the last good registry and not this one, `null` when they use this one. */
    warning: acceptRemovals && force.isForAccepting ? null : force.warning,
    accepted: new Array<string>(),
    problems: new Array<CheckProblem>(),
  };
  if (stored?.text === text && (changed.warning !== null || accepted.length === 0)) {
    onStored();
    output.result(changed, () => {
      output.line(`${name} is the registry of ${stage.name} already.`);
      if (force.warning !== null) output.line(shown(`${force.warning} ${takesEffect(stage, force)}`, 2_000));
    });
    return force.warning === null ? 0 : 1;
  }
  const { problems, fresh, entries } = problemsOfChange(stage, before, text);
  changed.problems = problems;
  if (fresh.length > 0 && !withProblems) {
    output.result(changed, () => {
      showProblems(output, name, problems, entries);
      output.line('Nothing was written. "--with-problems" writes it all the same.');
    });
    return 1;
  }
  const telling = { now: context.now(), showAddresses: output.isForPerson };
  changed.changes = changesInWords(before, text, telling);
  if (!output.isJson) {
    for (const sentence of changed.changes) output.line(sentence);
    if (changed.warning !== null) output.warn(`if this were the registry: ${changed.warning}`);
  }
  if (changed.warning !== null) {
    const how = force.isForAccepting
      ? `"${stage.lines.daybook(...command, '--accept-removals')}" removes these merchants, if that is meant`
      : mendInWords(stage, force);
    output.result(changed, () =>
      output.line(`Nothing was written: the functions would not use it. ${shown(how, 1_000)}.`),
    );
    return 1;
  }
  if (accepted.length > 0) output.note(`The last good registry loses ${named(accepted)}, too.`);
  if (!(await questions.confirm(`Change the registry of ${stage.name}?`, NOTHING_CHANGED))) return 1;
  changed.isWritten = await context.whole(`The registry of ${stage.name} is changed.`, async () => {
    const isNew = stored?.text !== text;
    if (isNew && (await writeRegistry(stage, text, stored?.version ?? null)) === undefined)
      throw new CommandError(changedMeanwhile);
    onStored();
    // After the registry: when somebody else was faster with that, nothing is changed. Until then the last good one serves.
    if (accepted.length > 0 && (await removeFromLastGood(stage, accepted))) changed.accepted = accepted;
    return isNew;
  });
  const now = await forceOf(stage, text);
  changed.warning = now.warning;
  output.result(changed, () => {
    const done = changed.isWritten ? 'is changed' : 'stays as it is, and the removals are accepted';
    output.line(`The registry of ${stage.name} ${done}. ${takesEffect(stage, now)}`);
  });
  return now.warning === null ? 0 : 1;
}
