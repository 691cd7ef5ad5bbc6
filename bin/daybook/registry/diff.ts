import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { changesInWords } from './changes-in-words.ts';
import { differencesOf } from './differences.ts';
import { changesOfOthers, ownText } from './own-file.ts';
import { findRegistry } from './stored-registry.ts';

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
