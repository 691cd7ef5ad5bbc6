import { isSameJson } from '#records/json/same-json.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { jsonOf } from './registry-text.ts';
import type { Members } from './registry-text.ts';
import { membersOf, allGroups, usableName } from '#registry/groups.ts';
import type { GroupSettings } from '#registry/groups.ts';
import { codeInEntry, placesOfCodes, parseRegistry } from '#registry/registry.ts';
import { allMerchants } from '#registry/merchants.ts';
import { RegistryError } from '#registry/registry-errors.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';

export interface GroupDifference {
  name: string;
  change: 'added' | 'removed' | 'changed';
  /** Of a group that is changed. */
  members: string[];
}

/** What differs between two registries, by merchant and member. No values. */
export interface Differences {
  added: string[];
  removed: string[];
  changed: { merchantCode: string; members: string[] }[];
  defaults: string[];
  service: string[];
  groups: GroupDifference[];
  others: string[];
}

type RegistryValue = ReturnType<typeof registryValue>;

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
  const { named: entries, nameless } = byName(merchants, codeInEntry);
  const found = byName(groups, usableName);
  return {
    service: membersIn(service),
    defaults: membersIn(defaults),
    /** The members beside `service`, `defaults`, `merchants` and `groups`. */
    others,
    entries,
    nameless,
    groupsByName: found.named,
    namelessGroups: found.nameless,
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

function changedEntries(before: RegistryValue, after: RegistryValue): Differences['changed'] {
  return [...after.entries].flatMap(([merchantCode, entries]) => {
    const earlier = before.entries.get(merchantCode);
    if (earlier === undefined) return [];
    const members = changedMembers(earlier, entries, 'merchantCode');
    return members.length === 0 ? [] : [{ merchantCode, members }];
  });
}

function changedGroups(before: RegistryValue, after: RegistryValue): GroupDifference[] {
  const [was, is] = [before.groupsByName, after.groupsByName];
  const there = [...is].flatMap(([name, groups]): GroupDifference[] => {
    const earlier = was.get(name);
    if (earlier === undefined) return [{ name, change: 'added', members: [] }];
    const members = changedMembers(earlier, groups, 'name');
    return members.length === 0 ? [] : [{ name, change: 'changed', members }];
  });
  const gone = [...was.keys()].filter((name) => !is.has(name));
  return [...there, ...gone.map((name): GroupDifference => ({ name, change: 'removed', members: [] }))];
}

/** What differs between two registries. @param before `undefined` when there was none */
export function differencesOf(before: string | undefined, after: string): Differences {
  const [was, is] = [registryValue(before), registryValue(after)];
  return {
    added: [...is.entries.keys()].filter((code) => !was.entries.has(code)),
    removed: [...was.entries.keys()].filter((code) => !is.entries.has(code)),
    changed: changedEntries(was, is),
    defaults: changedNames(was.defaults, is.defaults),
    service: changedNames(was.service, is.service),
    groups: changedGroups(was, is),
    others: [
      ...changedNames(was.others, is.others),
      ...(isSameJson(was.nameless, is.nameless) ? [] : ['merchants']),
      ...(isSameJson(was.namelessGroups, is.namelessGroups) ? [] : ['groups']),
    ],
  };
}

/** Whether nothing differs but the form of the text. */
export function isSame(differences: Differences): boolean {
  return Object.values(differences).every((list: unknown[]) => list.length === 0);
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
  settings: ReadonlyMap<string, Settings>,
  names: Iterable<string>,
): UsedSettings<Settings> {
  return { settings, unusable: new Set(names).difference(settings) };
}

/** Reads all settings of a registry. None, when the functions could not use the registry at all. */
export function settingsOf(text: string | undefined) {
  const nothing = {
    merchants: used<MerchantSettings>(new Map(), []),
    groups: used<GroupWithMembers>(new Map(), []),
  };
  if (text === undefined) return nothing;
  try {
    const registry = parseRegistry(text);
    const { merchants } = allMerchants(registry);
    const { groups } = allGroups(registry);
    return {
      merchants: used(
        new Map(merchants.map((merchant) => [merchant.merchantCode, merchant])),
        placesOfCodes(registry).keys(),
      ),
      groups: used(
        new Map(groups.map((group) => [group.name, { ...group, codes: membersOf(group, registry).codes }])),
        registry.groups.map(usableName).filter((name) => name !== null),
      ),
    };
  } catch (error) {
    if (error instanceof RegistryError) return nothing;
    throw error;
  }
}
