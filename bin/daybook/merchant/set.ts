import { LARGEST_REGISTRY } from '#records/storage/object-bounds.ts';
import { parseRegistry } from '#registry/registry.ts';
import type { CommandContext } from '../context.ts';
import { fileText } from '../files.ts';
import type { ExitStatus } from '../perform.ts';
import {
  assertNoNewProblems,
  takesEffect,
  editRegistry,
  forceOf,
  readRegistry,
} from '../registry/stored-registry.ts';
import { changesInWords } from '../registry/changes-in-words.ts';
import { entryOf, withEntryMembers } from '../registry/registry-text.ts';
import { assertCode, assertKnownMerchant } from '../stage/known-names.ts';
import { UsageError } from '../terminal/command-errors.ts';
import { memberChanges } from './member-values.ts';

function readFile(name: string): string {
  const text = fileText(name, LARGEST_REGISTRY);
  if (text === undefined) throw new UsageError(`there is no file ${name}`);
  return text;
}

/** Sets members of a merchant's entry. Nothing else in the registry changes. */
export async function set(
  context: CommandContext,
  merchantCode: string,
  assignments: readonly string[],
): Promise<ExitStatus> {
  const { output } = context;
  assertCode(merchantCode);
  if (assignments.length === 0) throw new UsageError('say what to set, such as reportAt=07:30');
  const stage = await context.stage();
  const before = await readRegistry(stage);
  assertKnownMerchant(parseRegistry(before.text), merchantCode, stage.lines);
  const edit = (text: string) => {
    const changes = memberChanges(assignments, entryOf(text, merchantCode), readFile);
    return withEntryMembers(text, merchantCode, changes);
  };
  const after = edit(before.text);
  assertNoNewProblems(stage, before.text, after);
  const telling = { now: context.now(), showAddresses: output.isForPerson };
  const changes = changesInWords(before.text, after, telling);
  const isWritten = after !== before.text;
  const { version, text } = await editRegistry(stage, before, edit);
  const force = await forceOf(stage, text);
  const { warning } = force;
  output.result({ merchantCode, isWritten, version, changes, warning }, () => {
    for (const sentence of changes) output.line(sentence);
    if (!isWritten) output.line(`${merchantCode} has these settings already.`);
    if (isWritten || warning !== null) output.line(takesEffect(stage, force));
  });
  return warning === null ? 0 : 1;
}
