import { membersOf, allGroups } from '#registry/groups.ts';
import type { Registry } from '#registry/registry.ts';
import { named } from '../registry/settings-phrases.ts';

/** The groups of a merchant, by name. */
export interface GroupsOf {
  /** Whose pages have its figures. */
  all: string[];
  /** Those of them that name it by its code. */
  naming: string[];
}

/** The groups of a merchant that can be used. */
export function groupsOf(registry: Registry, merchantCode: string): GroupsOf {
  const groups = allGroups(registry).groups.filter((group) =>
    membersOf(group, registry).codes.includes(merchantCode),
  );
  return {
    all: groups.map(({ name }) => name),
    naming: groups.filter(({ merchants }) => Array.isArray(merchants)).map(({ name }) => name),
  };
}

/** Such as `group shops`, or `the groups shops, everybody`. */
export function groupsInWords(names: readonly string[]): string {
  return `${names.length === 1 ? 'group' : 'the groups'} ${named(names)}`;
}
