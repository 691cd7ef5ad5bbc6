import { readGroup, usableName } from './group.ts';
import type { GroupReading, GroupSettings } from './group.ts';
import { Heirs } from './heirs.ts';
import { MOST_OF_OWNER, rejectionOf, rejectionsOf, shownPath } from './problem.ts';
import type { Rejection } from './problem.ts';
import { InvalidGroupError, UnknownGroupError } from './registry-errors.ts';
import { repeatedProblems } from './registry.ts';
import type { Registry } from './registry.ts';

export type { GroupSettings } from './group.ts';

/** Twenty merchants to a group, if each merchant of the largest registry is in one group. */
export const MOST_GROUPS = 1_000;

/** Why the groups after the first {@link MOST_GROUPS} are not used. */
export const TOO_MANY_GROUPS = `has more than ${MOST_GROUPS} groups: the ones after these are not used`;

type Owners = Pick<Registry, 'defaults' | 'groups'>;

function readUsed({ defaults }: Owners, group: unknown, at: readonly PropertyKey[]): GroupReading {
  const repeated = repeatedProblems(group, at);
  const read = readGroup(defaults, group, at);
  if (repeated.length === 0) return read;
  const { problems = [], inherited = [] } = read;
  return { problems: [...repeated, ...problems], inherited };
}

function placesOfNames({ groups }: Owners): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, group] of groups.slice(0, MOST_GROUPS).entries()) {
    const name = usableName(group);
    if (name === null) continue;
    const before = places.get(name);
    if (before === undefined) places.set(name, [index]);
    else before.push(index);
  }
  return places;
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
  const read = readUsed(registry, registry.groups[place], []);
  if (read.settings !== undefined) return read.settings;
  const problems = [...read.problems, ...read.inherited.flatMap((bad) => bad.problems)];
  throw new InvalidGroupError(
    name,
    problems.map((problem) => rejectionOf(problem, null)),
  );
}

export interface AllGroups {
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
    const read = readUsed(registry, group, at);
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
