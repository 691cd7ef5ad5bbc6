import { isMembers } from '#records/json/exact-json.ts';
import type { Members } from '#records/json/exact-json.ts';
import type { Problem } from './problem.ts';
import { MERGED_SCHEMAS } from './registry-schema.ts';

export const MERGED: readonly string[] = Object.keys(MERGED_SCHEMAS);

/** Each wrong value is a problem, and costs more memory than the value. */
const MOST_OF_ONE = 1_000;

/** Members whose values are counted where they are read: rules one by one, the merchants of a group by their codes. */
const COUNTED_ELSEWHERE: readonly string[] = ['alerts', 'merchants'];

let known: ReadonlyMap<string, readonly string[]> | undefined;

function innerNames(name: string): readonly string[] {
  // Every unwrapping builds the schema again.
  known ??= new Map(
    Object.entries(MERGED_SCHEMAS).map(([merged, schema]) => [merged, Object.keys(schema.unwrap().shape)]),
  );
  return known.get(name) ?? [];
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isMembers(value) ? Object.keys(value).length : 0;
}

export function readable(
  members: Members,
  names: readonly string[],
  at: readonly PropertyKey[],
): { members: Members; problems: Problem[] } {
  const kept: Members = {};
  const problems: Problem[] = [];
  for (const name of names) {
    if (!Object.hasOwn(members, name)) continue;
    const value = members[name];
    if (MERGED.includes(name) && isMembers(value)) {
      const inner = readable(value, innerNames(name), [...at, name]);
      kept[name] = inner.members;
      problems.push(...inner.problems);
    } else if (!COUNTED_ELSEWHERE.includes(name) && sizeOf(value) > MOST_OF_ONE) {
      const reason = `has more than ${MOST_OF_ONE} values`;
      problems.push({ at: [...at, name], reason, value, candidates: [] });
    } else kept[name] = value;
  }
  return { members: kept, problems };
}

/** The settings that were given, without what the schema filled in. */
export function given<Settings extends object>(settings: Settings, own: unknown): Partial<Settings> {
  const members = isMembers(own) ? own : {};
  const kept: Partial<Settings> = { ...settings };
  for (const name in kept) if (!Object.hasOwn(members, name)) Reflect.deleteProperty(kept, name);
  return kept;
}
