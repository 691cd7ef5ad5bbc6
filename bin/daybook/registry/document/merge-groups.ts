import { isSameJson } from '#domain/json/same-json.ts';
import type { Members } from './json-members.ts';
import { mergedMembers } from './merged-members.ts';
import type { RegistryValue } from './registry-value.ts';

/** The groups of a merge. */
interface MergedGroups {
  /** The list to write, `undefined` to keep theirs as it is written. */
  change: { groups: unknown } | undefined;
  /** What both changed, each in another way. */
  conflicts: string[];
}

/** Whether every group has a name of its own. */
function isNamed({ groups, groupsByName, namelessGroups }: RegistryValue): boolean {
  if (groups !== undefined && !Array.isArray(groups)) return false;
  return namelessGroups.length === 0 && [...groupsByName.values()].every(({ length }) => length === 1);
}

/** The groups that are mine, by name. `undefined`: the group goes. */
function editsOf(base: RegistryValue, mine: RegistryValue, theirs: RegistryValue) {
  const edits = new Map<string, Members | undefined>();
  const conflicts: string[] = [];
  for (const name of new Set([...base.groupsByName.keys(), ...mine.groupsByName.keys()])) {
    const was = base.groupsByName.get(name)?.[0];
    const is = mine.groupsByName.get(name)?.[0];
    const now = theirs.groupsByName.get(name)?.[0];
    if (isSameJson(was, is) || isSameJson(is, now)) continue;
    if (isSameJson(was, now)) edits.set(name, is);
    else if (was === undefined || is === undefined || now === undefined) conflicts.push(`group ${name}`);
    else {
      const merged = mergedMembers(was, is, now);
      conflicts.push(...merged.conflicts.map((member) => `${member} of group ${name}`));
      edits.set(name, { ...now, ...merged.changes });
    }
  }
  return { edits, conflicts };
}

/**
 * Merges two changes of the groups, by name and member: mine go into the list of theirs.
 *
 * @param base the registry that both began with
 */
export function mergedGroups(base: RegistryValue, mine: RegistryValue, theirs: RegistryValue): MergedGroups {
  if (isSameJson(base.groups, mine.groups) || isSameJson(mine.groups, theirs.groups)) {
    return { change: undefined, conflicts: [] };
  }
  if (isSameJson(base.groups, theirs.groups)) return { change: { groups: mine.groups }, conflicts: [] };
  if (![base, mine, theirs].every(isNamed)) return { change: undefined, conflicts: ['groups'] };
  const { edits, conflicts } = editsOf(base, mine, theirs);
  if (edits.size === 0) return { change: undefined, conflicts };
  const there = [...theirs.groupsByName].map(([name, [group]]) =>
    edits.has(name) ? edits.get(name) : group,
  );
  const added = [...edits].flatMap(([name, group]) => (theirs.groupsByName.has(name) ? [] : [group]));
  return { change: { groups: [...there, ...added].filter((group) => group !== undefined) }, conflicts };
}
