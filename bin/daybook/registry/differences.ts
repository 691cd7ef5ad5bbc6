import { isMembers } from '#records/json/exact-json.ts';
import { isSameJson } from '#records/json/same-json.ts';
import { allGroups, membersOf, usableName } from '#registry/groups.ts';
import type { GroupSettings } from '#registry/groups.ts';
import { allMerchants } from '#registry/merchants.ts';
import { registryCopy } from '#registry/registry-choice.ts';
import { RegistryError } from '#registry/registry-errors.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { codeInEntry, placesOfCodes } from '#registry/registry.ts';
import { jsonOf } from './registry-text.ts';
import type { Members } from '#records/json/exact-json.ts';

/** What becomes of a merchant's entry or a group. */
export interface NamedChange {
  /** The code, or the group's name. */
  name: string;
  change: 'added' | 'removed' | 'changed';
  /** The members that are written otherwise, where it is changed. */
  members: string[];
}

type Named = ReadonlyMap<string, readonly Members[]>;

function membersIn(value: unknown): Members {
  return isMembers(value) ? value : {};
}

function byName(given: unknown, nameOf: (one: unknown) => unknown) {
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  const named = new Map<string, Members[]>();
  const nameless: unknown[] = [];
  for (const one of list) {
    const name = nameOf(one);
    if (typeof name === 'string') named.set(name, [...(named.get(name) ?? []), membersIn(one)]);
    else nameless.push(one);
  }
  return { named, nameless };
}

/**
 * The parts of a registry as they are written, usable or not. More than one entry where a code appears twice.
 * @param text JSON, `undefined` when there is no registry
 */
export function registryValue(text: string | undefined) {
  const json = text === undefined ? {} : jsonOf(text);
  const { service, defaults, merchants, groups, ...others } = membersIn(json);
  return {
    service: membersIn(service),
    defaults: membersIn(defaults),
    merchants: byName(merchants, codeInEntry),
    groups: byName(groups, usableName),
    others,
  };
}

/** The names of the members that are not the same, those of `before` first. */
export function changedNames(before: Members, after: Members): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isSameJson(before[name], after[name]));
}

/** The members that differ. Which of several is meant is not known, so then it is their name that differs. */
function changedMembers(before: readonly Members[], after: readonly Members[], name: string): string[] {
  const [[was], [is]] = [before, after];
  if (before.length === 1 && after.length === 1) return changedNames(was ?? {}, is ?? {});
  return isSameJson(before, after) ? [] : [name];
}

/** @param nameMember the member that has the name */
function changesByName(was: Named, is: Named, nameMember: string): NamedChange[] {
  const there = [...is].flatMap(([name, entries]): NamedChange[] => {
    const earlier = was.get(name);
    if (earlier === undefined) return [{ name, change: 'added', members: [] }];
    const members = changedMembers(earlier, entries, nameMember);
    return members.length === 0 ? [] : [{ name, change: 'changed', members }];
  });
  const gone = [...was.keys()].filter((name) => !is.has(name));
  return [...there, ...gone.map((name): NamedChange => ({ name, change: 'removed', members: [] }))];
}

/** What is written otherwise in a registry, by the names of members. @param before `undefined` when there was none */
export function changesOf(before: string | undefined, after: string) {
  const [was, is] = [registryValue(before), registryValue(after)];
  const nameless = (['merchants', 'groups'] as const).filter(
    (list) => !isSameJson(was[list].nameless, is[list].nameless),
  );
  return {
    merchants: changesByName(was.merchants.named, is.merchants.named, 'merchantCode'),
    defaults: changedNames(was.defaults, is.defaults),
    service: changedNames(was.service, is.service),
    groups: changesByName(was.groups.named, is.groups.named, 'name'),
    /** Members beside these, and the lists of which something without a name changes. */
    others: [...changedNames(was.others, is.others), ...nameless],
  };
}

/** The same in the form that a command prints with `--json`. No values. */
export function differencesOf(before: string | undefined, after: string) {
  const { merchants, ...others } = changesOf(before, after);
  const of = (wanted: NamedChange['change']) => merchants.filter(({ change }) => change === wanted);
  return {
    added: of('added').map(({ name }) => name),
    removed: of('removed').map(({ name }) => name),
    changed: of('changed').map(({ name: merchantCode, members }) => ({ merchantCode, members })),
    ...others,
  };
}

/** The settings of merchants or groups as the functions use them, by code or name. */
export interface UsedSettings<Settings> {
  settings: ReadonlyMap<string, Settings>;
  unusable: ReadonlySet<string>;
}

export interface GroupWithMembers extends GroupSettings {
  codes: readonly string[];
}

function used<Settings>(
  given: readonly (readonly [string, Settings])[],
  names: Iterable<string>,
): UsedSettings<Settings> {
  const settings = new Map(given);
  return { settings, unusable: new Set(names).difference(settings) };
}

/** Reads all settings of a registry. None, when the functions could not use the registry at all. */
export function settingsOf(text: string | undefined) {
  const { content: registry } = registryCopy('', null, text);
  if (registry instanceof RegistryError)
    return { merchants: used<MerchantSettings>([], []), groups: used<GroupWithMembers>([], []) };
  return {
    merchants: used(
      allMerchants(registry).merchants.map((merchant) => [merchant.merchantCode, merchant]),
      placesOfCodes(registry).keys(),
    ),
    groups: used<GroupWithMembers>(
      allGroups(registry).groups.map((group) => [
        group.name,
        { ...group, codes: membersOf(group, registry).codes },
      ]),
      registry.groups.map(usableName).filter((name) => name !== null),
    ),
  };
}
