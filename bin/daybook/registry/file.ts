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
import { changeRegistry } from './change.ts';
import type { ChangeOptions } from './change.ts';
import { readWritten, findRegistry, usableText } from './stored-registry.ts';
import { differencesOf } from './differences.ts';

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
const pulledSchema = z.object({ bucket: z.string(), key: z.string(), text: z.string() });

/** Where the copy is: `.merchants.json.pulled` beside `merchants.json`. */
function pulledFile(file: string): string {
  return join(dirname(file), `.${basename(file)}.pulled`);
}

/** @returns the text, `undefined` when it is not of this stage */
function readPulled(file: string, { bucket, registryKey }: Stage): string | undefined {
  // The text is a string in it: quotes and line breaks take two characters.
  const text = fileText(pulledFile(file), 3 * LARGEST_REGISTRY);
  if (text === undefined) return undefined;
  const pulled = pulledSchema.safeParse(jsonOrNothing(text)).data;
  return pulled?.bucket === bucket && pulled.key === registryKey ? pulled.text : undefined;
}

function rememberPulled(file: string, { bucket, registryKey: key }: Stage, text: string): void {
  writeFile(pulledFile(file), `${JSON.stringify({ bucket, key, text })}\n`);
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
  return copy === stored.text ? 'none' : 'changed';
}

/** Writes the stage's registry into a file. Changes of the person's own are kept beside it, as `merchants.json.mine`. */
export async function pull(context: CommandContext, file: string): Promise<ExitStatus> {
  const { output, questions } = context;
  const stage = await context.stage();
  const stored = await readWritten(stage);
  const text = fileText(file, LARGEST_REGISTRY);
  const copy = readPulled(file, stage);
  const mine = text === undefined || text === stored.text || text === copy ? null : `${file}.mine`;
  if (text !== undefined && mine !== null) {
    const former = fileText(mine, LARGEST_REGISTRY) === undefined ? '' : ', in place of what it has';
    output.note(`${file} has changes of your own. If it is overwritten, they are kept in ${mine}${former}.`);
    if (copy !== undefined) {
      const telling = { now: context.now(), showAddresses: false };
      for (const sentence of changesInWords(copy, text, telling)) output.note(`  ${sentence}`);
    }
    if (!(await questions.confirm(`Overwrite ${file} with the registry of ${stage.name}?`))) return 1;
    writeFile(mine, text);
  }
  writeFile(file, stored.text);
  rememberPulled(file, stage, stored.text);
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
  const before = await usableText(stage, stored);
  const telling = { now: context.now(), showAddresses: output.isForPerson };
  const changes = changesInWords(before, own, telling);
  const differences = differencesOf(before, own);
  output.result({ isSame, others, changes, differences }, () => {
    if (isSame) output.line(`${file} is the registry of ${stage.name}.`);
    if (others === 'changed')
      output.line('Somebody else changed the registry since you pulled it: pull it again.');
    for (const sentence of changes) output.line(sentence);
  });
  return isSame ? 0 : 1;
}

/** Makes a file the registry of the stage: checks it, shows what changes, asks, and writes. */
export async function push(
  context: CommandContext,
  file: string,
  options: ChangeOptions,
): Promise<ExitStatus> {
  const stage = await context.stage();
  const text = ownText(file, stage.lines);
  const stored = await findRegistry(stage);
  const others = changesOfOthers(stage, file, text, stored);
  if (others === 'changed') throw new CommandError(pullAgain(stage));
  if (others === 'unknown')
    throw new CommandError(
      `${file} was not pulled from ${stage.name}, so Daybook cannot separate your changes from those of others: "${stage.lines.daybook('registry', 'pull', file)}" keeps your text beside theirs`,
    );
  return changeRegistry(context, stage, options, {
    text,
    stored,
    name: file,
    command: ['registry', 'push', file],
    onStored: () => rememberPulled(file, stage, text),
    changedMeanwhile: pullAgain(stage),
  });
}

function pullAgain({ name, lines }: Stage): string {
  return `nothing was written: somebody else changed the registry of ${name} since you pulled it ("${lines.daybook('registry', 'history')}" says who). "${lines.daybook('registry', 'pull')}" keeps your text beside theirs: make your changes again`;
}
