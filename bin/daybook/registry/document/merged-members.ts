import { isSameJson } from '#domain/json/same-json.ts';
import { changedNames } from '../changes/differences.ts';
import type { Members } from './json-members.ts';

/** Mine of an object's members, as far as they do not conflict with theirs. */
export function mergedMembers(base: Members, mine: Members, theirs: Members) {
  const changes: Record<string, unknown> = {};
  const conflicts: string[] = [];
  for (const name of changedNames(base, mine)) {
    if (isSameJson(mine[name], theirs[name])) continue;
    if (isSameJson(base[name], theirs[name])) changes[name] = mine[name];
    else conflicts.push(name);
  }
  return { changes, conflicts };
}
