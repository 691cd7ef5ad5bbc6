import { LARGEST_REGISTRY } from '#records/storage/object-bounds.ts';
import { parseRegistry } from '#registry/registry.ts';
import { RegistryError } from '#registry/registry-errors.ts';
import type { Lines, Stage } from '../stage/stage.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import { fileText, jsonOrNothing, writeFile } from '../files.ts';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import type { StoredRegistry } from './stored-registry.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { changesInWords } from './changes-in-words.ts';
import {
  readRegistry,
  findRegistry,
  problemsOfChange,
  mendInWords,
  takesEffect,
  forceOf,
  removeFromLastGood,
  writeRegistry,
} from './stored-registry.ts';
import { differencesOf } from './differences.ts';
import type { CheckProblem } from '../check/problem.ts';
import { showProblems } from '../check/problem.ts';
import { shown } from '../terminal/shown-text.ts';
import type { Differences } from './differences.ts';
import { named } from './settings-phrases.ts';

/** @throws {UsageError} when there is no file @throws {CommandError} when it is no registry at all */
function ownText(file: string, lines: Lines): string {
  const text = fileText(file, LARGEST_REGISTRY);
  if (text === undefined) {
    throw new UsageError(`there is no ${file} here: "${lines.daybook('registry', 'pull', file)}" writes it`);
  }
  try {
    parseRegistry(text);
    return text;
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const check = `"${lines.daybook('check', file)}" shows every problem`;
    throw new CommandError(`${file} cannot be used: ${error.message}. ${check}`, { cause: error });
  }
}

/** The registry as it was pulled or pushed last, beside the file that a person edits. */
const pulledSchema = z.object({ bucket: z.string(), key: z.string(), version: z.string(), text: z.string() });

type PulledCopy = Pick<z.infer<typeof pulledSchema>, 'version' | 'text'>;

/** Where the copy is: `.merchants.json.pulled` beside `merchants.json`. */
function pulledFile(file: string): string {
  return join(dirname(file), `.${basename(file)}.pulled`);
}

function readPulled(file: string, { bucket, registryKey }: Stage): PulledCopy | undefined {
  // The text is a string in it: quotes and line breaks take two characters.
  const text = fileText(pulledFile(file), 3 * LARGEST_REGISTRY);
  if (text === undefined) return undefined;
  const pulled = pulledSchema.safeParse(jsonOrNothing(text)).data;
  return pulled?.bucket === bucket && pulled.key === registryKey ? pulled : undefined;
}

function rememberPulled(file: string, { bucket, registryKey: key }: Stage, copy: PulledCopy): void {
  const { version, text } = copy;
  writeFile(pulledFile(file), `${JSON.stringify({ bucket, key, version, text })}\n`);
}

/** Whether others changed the registry since the file was pulled. `unknown`: it was not pulled from this stage. */
function changesOfOthers(
  stage: Stage,
  file: string,
  own: string,
  stored: StoredRegistry | undefined,
): 'none' | 'changed' | 'unknown' {
  if (stored === undefined || stored.text === own) return 'none';
  const copy = readPulled(file, stage);
  if (copy === undefined) return 'unknown';
  return copy.text === stored.text ? 'none' : 'changed';
}

/** Writes the stage's registry into a file. Changes of the person's own are kept beside it, as `merchants.json.mine`. */
export async function pull(context: CommandContext, file: string): Promise<ExitStatus> {
  const { output, questions } = context;
  const stage = await context.stage();
  const stored = await readRegistry(stage);
  const text = fileText(file, LARGEST_REGISTRY);
  const copy = readPulled(file, stage);
  const mine = text === undefined || text === stored.text || text === copy?.text ? null : `${file}.mine`;
  if (text !== undefined && mine !== null) {
    output.note(`${file} has changes of your own. They are kept in ${mine}.`);
    if (copy !== undefined) {
      const telling = { now: context.now(), showAddresses: false };
      for (const sentence of changesInWords(copy.text, text, telling)) output.note(`  ${sentence}`);
    }
    if (!(await questions.confirm(`Overwrite ${file} with the registry of ${stage.name}?`))) return 1;
    writeFile(mine, text);
  }
  writeFile(file, stored.text);
  rememberPulled(file, stage, stored);
  output.result({ file, version: stored.version, mine }, () =>
    output.line(`${file} is the registry of ${stage.name}.`),
  );
  return 0;
}

/** Shows what a push would change. Writes nothing. 0: file and stage are the same, 1: they are not. */
export async function diff(context: CommandContext, file: string): Promise<ExitStatus> {
  const { output } = context;
  const stage = await context.stage();
  const own = ownText(file, stage.lines);
  const stored = await findRegistry(stage);
  const isSame = stored?.text === own;
  const others = changesOfOthers(stage, file, own, stored);
  const telling = { now: context.now(), showAddresses: output.isForPerson };
  const changes = changesInWords(stored?.text, own, telling);
  const differences = differencesOf(stored?.text, own);
  output.result({ isSame, others, changes, differences }, () => {
    if (isSame) output.line(`${file} is the registry of ${stage.name}.`);
    if (others === 'changed')
      output.line('Somebody else changed the registry since you pulled it: pull it again.');
    for (const sentence of changes) output.line(sentence);
  });
  return isSame ? 0 : 1;
}

interface PushOptions {
  withProblems?: boolean | undefined;
  acceptRemovals?: boolean | undefined;
}

interface Pushed {
  isWritten: boolean;
  changes: string[];
  differences: Differences;
  /** Why the functions use the last good registry and not this one, `null` when they use this one. */
  warning: string | null;
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
    if (pushed.warning !== null) output.warn(pushed.warning);
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

function assertNoOthers(stage: Stage, file: string, text: string, stored: StoredRegistry | undefined): void {
  const others = changesOfOthers(stage, file, text, stored);
  if (others === 'none') return;
  throw new CommandError(
    others === 'changed'
      ? pullAgain(stage)
      : `${file} was not pulled from ${stage.name}, so Daybook cannot separate your changes from those of others: "${stage.lines.daybook('registry', 'pull', file)}" keeps your text beside theirs`,
  );
}
