import { isMembers } from '#records/json/exact-json.ts';
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
import { changesInWords } from '../registry/changes/changes-in-words.ts';
import type { Members } from '../registry/document/json-members.ts';
import { readRegistryText } from '../registry/document/registry-text.ts';
import { assertCode } from '../secret/merchant-secret.ts';
import { assertKnownMerchant } from '../stage/known-names.ts';
import { UsageError } from '../terminal/command-errors.ts';
import { memberChanges } from './member-values.ts';

function readFile(name: string): string {
  const text = fileText(name, LARGEST_REGISTRY);
  if (text === undefined) throw new UsageError(`there is no file ${name}`);
  return text;
}

function entryOf(text: string, merchantCode: string): Members {
  const entry: unknown = JSON.parse(readRegistryText(text).entry(merchantCode));
  return isMembers(entry) ? entry : {};
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
  const edit = (text: string) =>
    readRegistryText(text)
      .change(merchantCode, memberChanges(assignments, entryOf(text, merchantCode), readFile))
      .toText();
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
