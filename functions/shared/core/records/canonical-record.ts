import type { Table } from '../manifest.ts';
import { isMembers } from './exact-json.ts';
import type { Members } from './exact-json.ts';
import { shortName } from './name-tally.ts';
import { OWN_COLUMNS, SHAPES } from './row-shape.ts';
import type { ShapeMember } from './row-shape.ts';

/**
 * Gets the names that the contract does not know, as rows are made: the service's name, and what it is written as. Of
 * members inside unknown ones only those that are written otherwise.
 */
export interface UnknownNames {
  set(name: string, written: string): unknown;
}

/**
 * The names of one object as they are written. Query engines lower-case names, and two that fall together break every
 * query over the file: the later one gets a number behind it.
 */
class WrittenNames {
  readonly #taken: Set<string>;
  /** The next number to try behind a name: where many fall together, none is tried twice. */
  readonly #next = new Map<string, number>();

  /** @param taken in lower case */
  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** What the name is written as, from now on taken. */
  write(name: string): string {
    const column = name.toLowerCase();
    if (!this.#taken.has(column)) {
      this.#taken.add(column);
      return name;
    }
    let number = this.#next.get(column) ?? 2;
    let free = `${column}__${number}`;
    while (this.#taken.has(free)) {
      number += 1;
      free = `${column}__${number}`;
    }
    this.#next.set(column, number + 1);
    this.#taken.add(free);
    return `${name}__${number}`;
  }
}

/** The way to a member. Cut where it is long, since it is written for each of the members below it. */
function pathTo(path: string, name: string): string {
  return shortName(`${path}${shortName(name)}`);
}

/** More members than this, and V8 would make and forget a shape for each of them. */
const FEW_MEMBERS = 64;

/** An object without members, which takes any name as one: `__proto__` is a name like any other in JSON. */
function emptyMembers(): Members {
  const empty: unknown = Object.create(null);
  return isMembers(empty) ? empty : {};
}

/** The same value with every object's members in the order of their names, none falling together with another. */
function ordered(value: unknown, path: string, unknown: UnknownNames): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => ordered(item, path, unknown));
  if (!isMembers(value)) return value;
  const names = new WrittenNames();
  const sorted = Object.keys(value).sort();
  const inner = `${path}.`;
  const writtenAs = (name: string) => {
    const written = names.write(name);
    if (written !== name) unknown.set(pathTo(inner, name), pathTo(inner, written));
    return written;
  };
  const orderedMember = (name: string) => {
    const member = value[name];
    const isOpen = typeof member === 'object' && member !== null;
    return isOpen ? ordered(member, pathTo(inner, name), unknown) : member;
  };
  if (sorted.length <= FEW_MEMBERS) {
    return Object.fromEntries(sorted.map((name) => [writtenAs(name), orderedMember(name)]));
  }
  const many = emptyMembers();
  for (const name of sorted) many[writtenAs(name)] = orderedMember(name);
  return many;
}

function addUnknown(
  source: Members,
  target: Members,
  shape: ShapeMember[],
  path: string,
  reserved: readonly string[],
  unknown: UnknownNames,
): void {
  const known = new Set(shape.map((member) => member.name));
  const names = new WrittenNames([...reserved, ...known].map((name) => name.toLowerCase()));
  for (const name of Object.keys(source)
    .filter((candidate) => !known.has(candidate))
    .sort()) {
    const written = names.write(name);
    const memberPath = pathTo(path, name);
    unknown.set(memberPath, pathTo(path, written));
    // Not an assignment: `__proto__` is a name like any other in JSON.
    Object.defineProperty(target, written, {
      value: ordered(source[name], memberPath, unknown),
      enumerable: true,
    });
  }
}

function canonicalMembers(
  source: Members,
  target: Members,
  shape: ShapeMember[],
  path: string,
  reserved: readonly string[],
  unknown: UnknownNames,
): Members {
  for (const { name, members } of shape) {
    const value = source[name];
    if (!isMembers(value) && !Array.isArray(value)) target[name] = value;
    else if (members === null || Array.isArray(value))
      target[name] = ordered(value, `${path}${name}`, unknown);
    else target[name] = canonicalMembers(value, {}, members, `${path}${name}.`, [], unknown);
  }
  // A record that passed its schema has every member of the shape, so a longer one has strangers.
  if (Object.keys(source).length > shape.length) addUnknown(source, target, shape, path, reserved, unknown);
  return target;
}

/** Whether a value has all its objects' members in the order of their names, none falling together with another. */
function isOrdered(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isOrdered);
  if (!isMembers(value)) return true;
  let before = '';
  for (const name in value) {
    // Of names without capitals no two fall together in lower case.
    if (name <= before || name !== name.toLowerCase() || !isOrdered(value[name])) return false;
    before = name;
  }
  return true;
}

/** Whether the members are the shape's and no others, in its order, with nothing in them to be put into order. */
function isCanonical(source: Members, shape: ShapeMember[]): boolean {
  let index = 0;
  for (const name in source) {
    const member = shape[index];
    if (member?.name !== name) return false;
    const value = source[name];
    if (typeof value === 'object' && value !== null) {
      const fits =
        member.members !== null && isMembers(value) ? isCanonical(value, member.members) : isOrdered(value);
      if (!fits) return false;
    }
    index += 1;
  }
  return index === shape.length;
}

/**
 * The record as the snapshots hold it: the contract's members in its order, then those that it does not know by name.
 * Every value stays as it came; equal records give equal ones, whatever the order in which their members were sent. One
 * that came so is not copied, and nearly all do.
 *
 * @param record one that has passed its table's schema
 * @param unknown collects the names that the contract does not know
 */
export function canonicalRecord(table: Table, record: Members, unknown: UnknownNames): Members {
  const shape = SHAPES[table];
  return isCanonical(record, shape) ? record : canonicalMembers(record, {}, shape, '', OWN_COLUMNS, unknown);
}
