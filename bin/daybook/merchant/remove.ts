import type { CommandContext, ExitStatus } from '../context.ts';
import { hasEntry, withoutEntry } from '../registry/registry-text.ts';
import {
  noteIfNotUsed,
  takesEffect,
  editRegistry,
  forceOf,
  readRegistry,
  removeFromLastGood,
} from '../registry/stored-registry.ts';
import { merchantSecret, settingsOrDefaults } from '../secret/merchant-secret.ts';
import { assertCode, assertKnownMerchant } from '../stage/known-names.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { NOTHING_CHANGED } from '../terminal/questions.ts';
import { groupsInWords, groupsOf } from './show.ts';

/** Takes a merchant out of the registry. Its sealed days stay, and its credentials, too, unless they are to go. */
export async function remove(
  context: CommandContext,
  merchantCode: string,
  { withSecret = false }: { withSecret?: boolean | undefined },
): Promise<ExitStatus> {
  const { output, questions } = context;
  assertCode(merchantCode);
  const stage = await context.stage();
  const before = await readRegistry(stage);
  const { registry } = before;
  const present = await forceOf(stage, before.text);
  // An earlier removal may have ended before it came to the last good registry.
  if (!present.gone.includes(merchantCode)) assertKnownMerchant(registry, merchantCode, stage.lines);
  const edit = (text: string) => (hasEntry(text, merchantCode) ? withoutEntry(text, merchantCode) : text);
  // What cannot be removed must be known before the credentials are gone.
  edit(before.text);
  const secret = withSecret ? merchantSecret(stage, settingsOrDefaults(registry, merchantCode)) : undefined;
  // A secret that cannot be edited must be known before the registry is changed.
  await secret?.entry();
  const { all, naming } = groupsOf(registry, merchantCode);
  if (!output.isJson) {
    output.note(`Reports and alerts of ${merchantCode} stop.`);
    output.note('Its sealed days, its ledgers and its history stay in the bucket.');
    output.note(
      secret === undefined
        ? 'Its credentials stay in the secret.'
        : `Its credentials are removed from ${secret.name}.`,
    );
  }
  noteIfNotUsed(output, stage, present);
  if (all.length > 0) output.note(`Pages of ${groupsInWords(all)} no longer have its figures.`);
  for (const name of naming) output.warn(`group ${name} names ${merchantCode}: take it out there, too`);
  if (!(await questions.confirm(`Remove ${merchantCode} from ${stage.name}?`, NOTHING_CHANGED))) return 1;
  const text = await context.whole(`${merchantCode} is removed.`, async () => {
    // The credentials first: when the command ends between the two, the merchant is still known and can be removed again.
    await secret?.remove();
    const edited = await editRegistry(stage, before, edit).catch((error: unknown) => {
      if (secret === undefined || !(error instanceof CommandError)) throw error;
      const gone = `The credentials of ${merchantCode} are removed already`;
      throw new CommandError(`${error.message}. ${gone}`, { cause: error });
    });
    // After the registry: when that cannot be changed, the last good one must not be either.
    await removeFromLastGood(stage, [merchantCode]);
    return edited.text;
  });
  const force = await forceOf(stage, text);
  const { warning } = force;
  const removed = { merchantCode, secret: secret?.name ?? null, groups: naming, warning };
  output.result(removed, () => {
    output.line(`${merchantCode} is removed. ${takesEffect(stage, force)}`);
  });
  return warning === null ? 0 : 1;
}
