import { LARGEST_REGISTRY } from '#records/storage/object-bounds.ts';
import type { CommandContext } from '../context.ts';
import { fileText, writeFile } from '../files.ts';
import type { ExitStatus } from '../perform.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { shown } from '../terminal/shown-text.ts';
import { changesInWords } from './changes/changes-in-words.ts';
import { mergedRegistry } from './document/merge.ts';
import { readPulled, rememberPulled, assertRegistryText } from './own-file.ts';
import { readRegistry } from './stored-registry.ts';
import type { StoredRegistry } from './stored-registry.ts';

interface Pulled {
  file: string;
  version: string;
  /** What both you and somebody else changed. The file has the version of the stage. */
  conflicts: string[];
}

interface PullOptions {
  merge?: boolean | undefined;
}

/** Writes the stage's registry into a file. Changes of the person's own are overwritten only when asked. */
export async function pull(context: CommandContext, file: string, options: PullOptions): Promise<ExitStatus> {
  const { output, questions } = context;
  const stage = await context.stage();
  const stored = await readRegistry(stage);
  const text = fileText(file, LARGEST_REGISTRY);
  const copy = readPulled(file, stage);
  const hasOwn = text !== undefined && text !== stored.text && text !== copy?.text;
  let conflicts: string[] = [];
  if (hasOwn && options.merge === true) {
    if (copy === undefined) throw new CommandError(notPulled(file, stage));
    conflicts = merge(stage, file, copy.text, text, stored);
  } else {
    if (hasOwn) {
      output.note(`${file} has changes of your own ("--merge" keeps them):`);
      if (copy !== undefined) {
        const telling = { now: context.now(), showAddresses: false };
        for (const sentence of changesInWords(copy.text, text, telling)) output.note(`  ${sentence}`);
      }
      if (!(await questions.confirm(`Overwrite ${file} with the registry of ${stage.name}?`))) return 1;
    }
    writeFile(file, stored.text);
  }
  rememberPulled(file, stage, stored);
  const pulled: Pulled = { file, version: stored.version, conflicts };
  output.result(pulled, () => {
    if (!hasOwn || options.merge !== true) output.line(`${file} is the registry of ${stage.name}.`);
    else output.line(`${file} is the registry of ${stage.name}, with your changes.`);
    for (const conflict of conflicts) {
      output.line(`Both of you changed ${shown(conflict)}: the file has theirs.`);
    }
    if (conflicts.length > 0) output.line(`Your own text is in ${ownFile(file)}. Make these changes again.`);
  });
  return conflicts.length === 0 ? 0 : 1;
}

/** Why a merge is not possible. */
export function notPulled(file: string, { name, lines }: Stage): string {
  return `${file} was not pulled from ${name}, so Daybook cannot separate your changes from those of others: copy it, run "${lines.daybook('registry', 'pull', file)}", and make your changes again`;
}

function ownFile(file: string): string {
  return `${file}.mine`;
}

/** Writes the merged text. @returns what conflicts */
function merge(stage: Stage, file: string, base: string, text: string, stored: StoredRegistry): string[] {
  assertRegistryText(text, file, stage.lines);
  const merged = mergedRegistry(base, text, stored.text);
  if (merged.conflicts.length > 0) writeFile(ownFile(file), text);
  writeFile(file, merged.text);
  return merged.conflicts;
}
