import { LARGEST_REGISTRY } from '#records/storage/object-bounds.ts';
import type { CommandContext } from '../context.ts';
import { fileText, writeFile } from '../files.ts';
import type { ExitStatus } from '../perform.ts';
import { changesInWords } from './changes-in-words.ts';
import { readPulled, rememberPulled } from './own-file.ts';
import { readRegistry } from './stored-registry.ts';

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
