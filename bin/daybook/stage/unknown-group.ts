import { usableName } from '#registry/group.ts';
import type { Registry } from '#registry/registry.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { firstNamed } from '../terminal/counted.ts';
import { shown } from '../terminal/shown-text.ts';
import { nearestText } from './nearest-text.ts';

/** The most groups that are named. */
const MOST_NAMED = 10;

function groupsInWords(names: readonly string[]): string {
  if (names.length === 0) return 'it has no groups (docs/registry.md, "Groups")';
  return `it has ${firstNamed(names, MOST_NAMED)}`;
}

/** @throws {CommandError} when no group of the registry has this name, usable or not */
export function assertKnownGroup(registry: Registry, name: string): void {
  const names = registry.groups.flatMap((group) => usableName(group) ?? []);
  if (names.includes(name)) return;
  const meant = nearestText(name, names);
  const hint = meant === undefined ? groupsInWords(names) : `did you mean ${meant}?`;
  throw new CommandError(`the registry has no group "${shown(name, 64)}": ${hint}`);
}
