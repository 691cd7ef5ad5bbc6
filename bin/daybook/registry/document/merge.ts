import { isSameJson } from '#records/json/same-json.ts';
import { withMembers } from './json-members.ts';
import type { Members } from './json-members.ts';
import { readRegistryText, registryValue } from './registry-text.ts';
import type { RegistryText, RegistryValue } from './registry-text.ts';
import { changedNames } from '../changes/differences.ts';

/** Mine of an object's members, as far as they do not conflict with theirs. */
function mergedMembers(base: Members, mine: Members, theirs: Members) {
  const changes: Record<string, unknown> = {};
  const conflicts: string[] = [];
  for (const name of changedNames(base, mine)) {
    if (isSameJson(mine[name], theirs[name])) continue;
    if (isSameJson(base[name], theirs[name])) changes[name] = mine[name];
    else conflicts.push(name);
  }
  return { changes, conflicts };
}

interface MergedGroups {
  /** The list to write, `undefined` to keep theirs as it is written. */
  change: { groups: unknown } | undefined;
  /** What both changed, each in another way. */
  conflicts: string[];
}

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
function mergedGroups(base: RegistryValue, mine: RegistryValue, theirs: RegistryValue): MergedGroups {
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

/** A text with the changes of both, where they agree. */
export interface Merge {
  text: string;
  /** What both changed, each in another way. The text has theirs. */
  conflicts: string[];
}

/**
 * Merges two changes of one registry, member by member: mine goes into the text of theirs. Each text must be a
 * registry.
 *
 * @param base the text that both began with
 */
export function mergedRegistry(base: string, mine: string, theirs: string): Merge {
  const [was, own, other] = [registryValue(base), registryValue(mine), registryValue(theirs)];
  const conflicts: string[] = [];
  let text: RegistryText = readRegistryText(theirs);
  const frames = [
    [undefined, '', was.others, own.others, other.others],
    ['service', 'service.', was.service, own.service, other.service],
    ['defaults', 'defaults.', was.defaults, own.defaults, other.defaults],
  ] as const;
  for (const [member, prefix, from, to, now] of frames) {
    const merged = mergedMembers(from, to, now);
    conflicts.push(...merged.conflicts.map((name) => `${prefix}${name}`));
    text = text.changeFrame(member, merged.changes);
  }
  const groups = mergedGroups(was, own, other);
  conflicts.push(...groups.conflicts);
  if (groups.change !== undefined) text = text.changeFrame(undefined, groups.change);
  const entries = mergedEntries(was.entries, own.entries, other.entries, mine);
  conflicts.push(...entries.conflicts);
  if (!isSameJson(was.nameless, own.nameless)) conflicts.push('an entry without a code');
  return { text: text.edit(entries.edits).toText(), conflicts: conflicts.sort() };
}

type Entries = ReadonlyMap<string, readonly Members[]>;

/** The texts of entries by code. `undefined`: the entry goes. A code that is not there yet: the entry comes. */
type Edits = Map<string, ((text: string) => string) | string | undefined>;

function mergedEntries(base: Entries, mine: Entries, theirs: Entries, text: string) {
  const edits: Edits = new Map();
  const conflicts: string[] = [];
  const own = new Map(readRegistryText(text).entries.map((entry) => [entry.code, entry.text]));
  for (const code of new Set([...base.keys(), ...mine.keys()])) {
    const [was, is, now] = [base.get(code), mine.get(code), theirs.get(code)];
    if (isSameJson(was, is) || isSameJson(is, now)) continue;
    const isSimple = [was, is, now].every((entries = []) => entries.length <= 1);
    if (isSimple && isSameJson(was, now)) edits.set(code, own.get(code));
    else if (!isSimple || !was?.[0] || !is?.[0] || !now?.[0]) conflicts.push(code);
    else {
      const merged = mergedMembers(was[0], is[0], now[0]);
      conflicts.push(...merged.conflicts.map((name) => `${name} of ${code}`));
      edits.set(code, (entry) => withMembers(entry, merged.changes));
    }
  }
  return { edits, conflicts };
}
