import { groupSchema } from '#registry/groups.ts';
import { merchantSchema } from '#registry/registry-schema.ts';
import { shown, counted } from '../terminal/shown-text.ts';
import { changedNames, differencesOf, isSame, registryValue, settingsOf } from './differences.ts';
import type { Differences, GroupWithMembers, UsedSettings } from './differences.ts';
import { groupChange, merchantChange, named } from './settings-phrases.ts';
import type { Telling } from './settings-phrases.ts';

/**
 * What changes for whom, in sentences. Those of whom the same is said share a sentence.
 *
 * @param before the registry that is used now, `undefined` when there is none
 */
export function changesInWords(before: string | undefined, after: string, telling: Telling): string[] {
  const differences = differencesOf(before, after);
  if (isSame(differences)) {
    return before === after ? [] : ['Only the form of the text changes: blanks, or the order.'];
  }
  const { added, removed, changed, groups } = differences;
  const [was, is] = [settingsOf(before), settingsOf(after)];
  const changedGroups = groups.filter(({ change }) => change === 'changed');
  const effects = [
    ...effectsOn(was.merchants, is.merchants, {
      come: added,
      written: new Map(changed.map(({ merchantCode, members }) => [merchantCode, members])),
      known: merchantSchema.unwrap().shape,
      owner: (code) => code,
      changes: (earlier, settings) => merchantChange(earlier, settings, telling),
    }),
    ...effectsOn(was.groups, is.groups, {
      come: groups.flatMap(({ name, change }) => (change === 'added' ? name : [])),
      written: new Map(changedGroups.map(({ name, members }) => [name, members])),
      known: groupSchema.unwrap().shape,
      owner: (name) => `group ${name}`,
      changes: (earlier, settings) => groupChange(earlier, settings, telling),
    }),
  ];
  return [
    ...(before === undefined ? ['The stage has no registry yet.'] : []),
    ...sentence(added, 'merchant', 'added'),
    ...sentence(removed, 'merchant', 'removed').map((text) => `${text} Reports and alerts stop.`),
    ...(before === undefined ? [] : frameInWords(differences, after)),
    ...groups.flatMap((group) => groupThatComesOrGoes(group, is.groups.settings)),
    ...[...Map.groupBy(effects, ({ text }) => text)].map(
      ([text, of]) => `${named(of.map(({ owner }) => owner))}: ${text}.`,
    ),
  ];
}

function sentence(names: string[], noun: string, verb: string): string[] {
  if (names.length === 0) return [];
  return [`${counted(names.length, noun)} ${names.length === 1 ? 'is' : 'are'} ${verb}: ${named(names)}.`];
}

/** Lists of which something without a name changes. */
const NAMELESS: ReadonlyMap<string, string> = new Map([
  ['merchants', 'Entries without a code change.'],
  ['groups', 'Groups without a name that can be used change.'],
]);

function frameInWords({ service, defaults, others }: Differences, after: string): string[] {
  const entries = [...registryValue(after).entries.values()];
  const heirs = (name: string) =>
    entries.filter(([entry]) => entry !== undefined && !Object.hasOwn(entry, name)).length;
  return [
    ...service.map((name) => `service.${shown(name)} changes: all merchants are read there.`),
    ...defaults.map(
      (name) => `The default ${shown(name)} changes, for ${counted(heirs(name), 'merchant')} without an own.`,
    ),
    ...others.map((name) => NAMELESS.get(name) ?? `${shown(name)} of the registry changes.`),
  ];
}

function groupThatComesOrGoes(
  { name, change }: Differences['groups'][number],
  groups: ReadonlyMap<string, GroupWithMembers>,
): string[] {
  if (change === 'removed') return [`Group ${name} is removed. No page of it is made any more.`];
  const group = groups.get(name);
  if (change === 'changed' || group === undefined) return [];
  const { recipients, codes } = group;
  const who = `${counted(recipients.length, 'recipient')}, with the figures of ${counted(codes.length, 'merchant')}`;
  return [`Group ${name} is added: ${who}.`];
}

interface Kind<Settings> {
  /** The names of those that were not there before. */
  come: readonly string[];
  /** The members that are written otherwise, by name. */
  written: ReadonlyMap<string, readonly string[]>;
  /** Has every member that Daybook knows. */
  known: object;
  owner: (name: string) => string;
  changes: (before: Settings, after: Settings) => string[];
}

function effectsOn<Settings extends object>(
  was: UsedSettings<Settings>,
  is: UsedSettings<Settings>,
  { come, written, known, owner, changes }: Kind<Settings>,
): { owner: string; text: string }[] {
  const unusable = [...is.unusable].flatMap((name) => {
    const isStill = was.unusable.has(name);
    if (isStill && !written.has(name)) return [];
    const more = was.settings.has(name) ? ' any more' : '';
    const text = `${isStill ? 'still ' : ''}cannot be used${more}: the command check says why`;
    return { owner: owner(name), text };
  });
  const others = [...is.settings].flatMap(([name, settings]) => {
    if (come.includes(name)) return [];
    const earlier = was.settings.get(name);
    const texts =
      earlier === undefined
        ? ['can be used again']
        : [
            ...changes(earlier, settings),
            ...withoutEffect(earlier, settings, written.get(name) ?? [], known),
          ];
    return texts.map((text) => ({ owner: owner(name), text }));
  });
  return [...unusable, ...others];
}

function withoutEffect(before: object, after: object, written: readonly string[], known: object): string[] {
  const changed = changedNames({ ...before }, { ...after });
  return written
    .filter((name) => !changed.includes(name))
    .map((name) =>
      Object.hasOwn(known, name)
        ? `${name} is written anew, with the same effect`
        : `${shown(name, 80)} changes. Daybook does not know this member`,
    );
}
