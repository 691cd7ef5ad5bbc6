import { merchantSchema } from '#registry/registry-schema.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { shown } from '../../terminal/shown-text.ts';
import { registryValue } from '../document/registry-text.ts';
import type { RegistryValue } from '../document/registry-text.ts';
import { differencesOf, isSame, settingsOf } from './differences.ts';
import type { Differences, UsedSettings } from './differences.ts';
import { groupsInWords } from './groups-in-words.ts';
import { Sentences, named, same, settingsPhrases } from './settings-phrases.ts';
import type { Telling } from './settings-phrases.ts';
import { counted } from '../../terminal/words.ts';

/**
 * What changes for whom, in sentences. Merchants of whom the same is said share a sentence.
 *
 * @param before the registry that is used now, `undefined` when there is none
 */
export function changesInWords(before: string | undefined, after: string, telling: Telling): string[] {
  const differences = differencesOf(before, after);
  if (isSame(differences)) {
    return before === after ? [] : ['Only the form of the text changes: blanks, or the order.'];
  }
  const [was, is] = [settingsOf(before), settingsOf(after)];
  return [
    ...(before === undefined ? ['The stage has no registry yet.'] : []),
    ...merchantsThatComeAndGo(differences),
    ...(before === undefined ? [] : frameInWords(differences, registryValue(after))),
    ...effectsInWords(was.merchants, is.merchants, differences, telling),
    ...groupsInWords(was.groups, is.groups, differences.groups, telling),
  ];
}

/** Lists of which something without a name changes. */
const NAMELESS: ReadonlyMap<string, string> = new Map([
  ['merchants', 'Entries without a code change.'],
  ['groups', 'Groups without a name that can be used change.'],
]);

function merchantsThatComeAndGo({ added, removed }: Differences): string[] {
  const sentence = (codes: string[], verb: string) =>
    `${counted(codes.length, 'merchant')} ${codes.length === 1 ? 'is' : 'are'} ${verb}: ${named(codes)}.`;
  const stop = removed.length === 1 ? 'Its reports and alerts stop.' : 'Their reports and alerts stop.';
  return [
    ...(added.length === 0 ? [] : [sentence(added, 'added')]),
    ...(removed.length === 0 ? [] : [`${sentence(removed, 'removed')} ${stop}`]),
  ];
}

function frameInWords({ service, defaults, others }: Differences, after: RegistryValue): string[] {
  const merchants = counted(after.entries.size, 'merchant');
  const inheriting = (name: string) =>
    [...after.entries.values()].filter(([entry]) => entry !== undefined && !Object.hasOwn(entry, name))
      .length;
  return [
    ...service.map((name) => `service.${shown(name)} changes: all ${merchants} are read there.`),
    ...defaults.map((name) => {
      const count = inheriting(name);
      const inherit = count === 1 ? 'inherits' : 'inherit';
      return `The default ${shown(name)} changes. ${counted(count, 'merchant')} ${inherit} it.`;
    }),
    ...others.map((name) => NAMELESS.get(name) ?? `${shown(name)} of the registry changes.`),
  ];
}

type Merchants = UsedSettings<MerchantSettings>;

function effectsInWords(
  was: Merchants,
  is: Merchants,
  { changed, added, removed }: Differences,
  telling: Telling,
): string[] {
  const known = merchantSchema.unwrap().shape;
  const sentences = new Sentences();
  const written = new Map(changed.map(({ merchantCode, members }) => [merchantCode, members]));
  const moved = new Set([...added, ...removed]);
  for (const code of is.unusable) {
    if (was.unusable.has(code)) continue;
    const more = was.settings.has(code) ? ' any more' : '';
    sentences.add(code, same(`{} cannot be used${more}: the command check says why`));
  }
  for (const [code, settings] of is.settings) {
    if (moved.has(code)) continue;
    const earlier = was.settings.get(code);
    if (earlier === undefined) {
      sentences.add(code, same('{} can be used again'));
      continue;
    }
    const { phrases, members } = settingsPhrases(earlier, settings, telling);
    for (const phrase of phrases) sentences.add(code, phrase);
    for (const member of written.get(code) ?? []) {
      if (members.has(member)) continue;
      sentences.add(
        code,
        Object.hasOwn(known, member)
          ? same(`${member} of {} is written anew, with the same effect`)
          : same(`${shown(member)} of {} changes. Daybook does not know this member`),
      );
    }
  }
  return sentences.toList();
}
