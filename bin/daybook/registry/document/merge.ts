import { isSameJson } from '#domain/json/same-json.ts';
import { withMembers } from './json-members.ts';
import type { Members } from './json-members.ts';
import { mergedGroups } from './merge-groups.ts';
import { mergedMembers } from './merged-members.ts';
import { readRegistryText } from './registry-text.ts';
import type { RegistryText } from './registry-text.ts';
import { registryValue } from './registry-value.ts';

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
