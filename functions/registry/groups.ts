import { readGroup, usableName } from './group.ts';
import type { GroupSettings, GroupMembers } from './group.ts';
import { Heirs, rejectionsOfReading } from './entry.ts';
import { MOST_OF_OWNER, rejectionsOf, shownPath } from './problem.ts';
import type { Rejection } from './problem.ts';
import { InvalidGroupError, UnknownGroupError } from './registry-errors.ts';
import { codesInEntries, placesOf } from './registry.ts';
import type { Registry } from './registry.ts';

export type { GroupSettings } from './group.ts';

/** Twenty merchants to a group, if each merchant of the largest registry is in one group. */
export const MOST_GROUPS = 1_000;

/** Why the groups after the first {@link MOST_GROUPS} are not used. */
export const TOO_MANY_GROUPS = `has more than ${MOST_GROUPS} groups: the ones after these are not used`;

type Owners = Pick<Registry, 'defaults' | 'groups'>;

function placesOfNames({ groups }: Owners): Map<string, number[]> {
  return placesOf(groups.slice(0, MOST_GROUPS), usableName);
}

/**
 * The settings of one group. No other group is read.
 * @throws {UnknownGroupError} when no group has this name
 * @throws {InvalidGroupError} when it is not usable, or several have this name
 */
export function groupSettings(registry: Owners, name: string): GroupSettings {
  const places = placesOfNames(registry).get(name) ?? [];
  const [place] = places;
  if (place === undefined) throw new UnknownGroupError(name);
  if (places.length > 1) {
    throw new InvalidGroupError(name, [{ path: 'name', reason: `appears ${places.length} times` }]);
  }
  const read = readGroup(registry.defaults, registry.groups[place], []);
  if (read.settings !== undefined) return read.settings;
  throw new InvalidGroupError(name, rejectionsOfReading(read));
}

interface AllGroups {
  groups: GroupSettings[];
  /** By path; a bad default once, at `defaults.…`. */
  rejected: Rejection[];
  leftOut: number;
}

function withGroup({ path, reason }: Rejection, name: string | null): Rejection {
  return { path, reason: name === null ? reason : `${reason} (group ${name})` };
}

/** Of groups with one name none is used: the recipients of the wrong one must not see its merchants. */
export function allGroups(registry: Owners): AllGroups {
  const groups: GroupSettings[] = [];
  const rejected: Rejection[] = [];
  const heirs = new Heirs('group', 'groups');
  const places = placesOfNames(registry);
  for (const [index, group] of registry.groups.slice(0, MOST_GROUPS).entries()) {
    const at = ['groups', index];
    const read = readGroup(registry.defaults, group, at);
    const name = usableName(group);
    const isOnly = name === null || places.get(name)?.length === 1;
    if (read.settings !== undefined && isOnly) {
      groups.push(read.settings);
      continue;
    }
    for (const rejection of rejectionsOf(read.problems ?? [], null, at, MOST_OF_OWNER)) {
      rejected.push(withGroup(rejection, name));
    }
    for (const bad of read.inherited ?? []) heirs.note(bad, name);
    if (isOnly) continue;
    const reason = 'is the name of more than one group, and none of them is used';
    rejected.push(withGroup({ path: shownPath([...at, 'name']), reason }, name));
  }
  const leftOut = registry.groups.length - groups.length;
  const tooMany = registry.groups.length > MOST_GROUPS ? [{ path: 'groups', reason: TOO_MANY_GROUPS }] : [];
  return { groups, rejected: [...tooMany, ...heirs.rejections(), ...rejected], leftOut };
}

interface Owner {
  readonly merchants: readonly unknown[];
}

/** The codes of each registry. A registry stays the same object until it changes, and may have many groups. */
const looked = new WeakMap<
  readonly unknown[],
  { all: readonly string[]; places: ReadonlyMap<string, number> }
>();

function codesOf(registry: Owner) {
  const before = looked.get(registry.merchants);
  if (before !== undefined) return before;
  const all = [...codesInEntries(registry)];
  const codes = { all, places: new Map(all.map((code, place) => [code, place])) };
  looked.set(registry.merchants, codes);
  return codes;
}

interface FoundMembers {
  /** In the registry's order, each once. Unusable entries count, too. */
  codes: readonly string[];
  /** Codes that the registry does not have, in the group's order. */
  unknown: readonly string[];
}

/** The merchants of a group. Linear in a list; one look at each code for a prefix. */
export function membersOf({ merchants }: { merchants: GroupMembers }, registry: Owner): FoundMembers {
  const { all, places } = codesOf(registry);
  if (merchants === 'all') return { codes: all, unknown: [] };
  if ('prefix' in merchants) {
    const { prefix } = merchants;
    return { codes: all.filter((code) => code.startsWith(prefix)), unknown: [] };
  }
  const named = [...new Set(merchants)];
  const found = named.flatMap((code) => places.get(code) ?? []).sort((one, other) => one - other);
  return {
    codes: found.flatMap((place) => all[place] ?? []),
    unknown: named.filter((code) => !places.has(code)),
  };
}
