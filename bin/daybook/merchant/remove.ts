import { merchantSettings } from '#domain/registry/merchants.ts';
import { parseRegistry } from '#domain/registry/registry.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { readRegistryText } from '../registry/document/registry-text.ts';
import { lastGoodWarning, showWarning, takesEffect } from '../registry/last-good-warning.ts';
import { editRegistry, readRegistry, removeFromLastGood } from '../registry/stored-registry.ts';
import { assertCode, merchantSecret } from '../secret/merchant-secret.ts';
import type { MerchantSecret } from '../secret/merchant-secret.ts';
import { withoutEntry } from '../secret/secret-text.ts';
import { editSecret, secretText } from '../secret/stored-secret.ts';
import { assertKnownMerchant } from '../stage/unknown-merchant.ts';
import { groupsInWords, groupsOf } from './groups-of.ts';

interface RemoveOptions {
  withSecret?: boolean | undefined;
}

/** Takes a merchant out of the registry. Its sealed days stay, and its credentials, too, unless they are to go. */
export async function remove(
  context: CommandContext,
  merchantCode: string,
  { withSecret = false }: RemoveOptions,
): Promise<ExitStatus> {
  const { output, questions } = context;
  assertCode(merchantCode);
  const stage = await context.stage();
  const before = await readRegistry(stage);
  const registry = parseRegistry(before.text);
  assertKnownMerchant(registry, merchantCode);
  const after = readRegistryText(before.text).remove(merchantCode).toText();
  const secret = withSecret ? merchantSecret(stage, merchantSettings(registry, merchantCode)) : undefined;
  // A secret that cannot be edited must be known before the registry is changed.
  if (secret !== undefined) await textWithout(secret);
  const warning = await lastGoodWarning(stage, after, [merchantCode]);
  const { all, naming } = groupsOf(registry, merchantCode);
  if (!output.isJson) {
    output.note(`Reports and alerts of ${merchantCode} stop.`);
    output.note('Its sealed days, its ledgers and its history stay in the bucket.');
    output.note(
      secret === undefined
        ? 'Its credentials stay in the secret.'
        : `Its credentials are removed from ${secret.place.name}.`,
    );
  }
  showWarning(output, warning);
  if (all.length > 0) output.note(`Pages of ${groupsInWords(all)} no longer have its figures.`);
  for (const name of naming)
    showWarning(output, `group ${name} names ${merchantCode}: take it out there, too`);
  if (!(await questions.confirm(`Remove ${merchantCode} from ${stage.name}?`))) {
    output.note('Nothing was changed.');
    return 1;
  }
  // The credentials first: when the command ends between the two, the merchant is still known and can be removed again.
  if (secret !== undefined) await removeEntry(secret);
  // Before the registry: between the two writes, a tick must not take the removal for a mistake.
  await removeFromLastGood(stage, [merchantCode]);
  await editRegistry(stage, before, (text) => readRegistryText(text).remove(merchantCode).toText());
  const removed = { merchantCode, secret: secret?.place.name ?? null, groups: naming, warning };
  output.result(removed, () => {
    output.line(`${merchantCode} is removed. ${takesEffect(stage, warning)}`);
  });
  return 0;
}

/** The secret's text without the merchant's entry, `undefined` when there is no such secret. */
async function textWithout({ merchantCode, place, client }: MerchantSecret): Promise<string | undefined> {
  const text = await secretText(client, place.name);
  return text === undefined ? undefined : withoutEntry(text, merchantCode, place);
}

/** There may be no such secret, or no entry in it. */
async function removeEntry({ merchantCode, place, client }: MerchantSecret): Promise<void> {
  if ((await secretText(client, place.name)) === undefined) return;
  await editSecret(client, place.name, (text = '') => withoutEntry(text, merchantCode, place));
}
