import type { Table } from '../revision/manifest.ts';
import { isMembers } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import { NamesOfRecord, pathTo } from './names-of-record.ts';
import type { UnknownNames } from './names-of-record.ts';
import { OWN_COLUMNS, SHAPES } from './row-shape.ts';
import type { ShapeMember } from './row-shape.ts';
import { WrittenNames } from './written-names.ts';

/** More members than this, and V8 would make and forget a shape for each of them. */
const FEW_MEMBERS = 64;

/** An object without members, which takes any name as one: `__proto__` is a name like any other in JSON. */
function emptyMembers(): Members {
  const empty: unknown = Object.create(null);
  return isMembers(empty) ? empty : {};
}

/** Names of so few digits stand first in any object, in the order of their numbers, whenever they were added. */
const INDEX = /^(?:0|[1-9]\d{0,8})$/;

function hasCapitals(name: string): boolean {
  return name !== name.toLowerCase();
}

/** Whether an object of these names has them in their order. Of names without capitals no two fall together. */
function areOrdered(names: readonly string[]): boolean {
  let before = '';
  for (const name of names) {
    if (INDEX.test(name)) continue;
    if (name <= before || hasCapitals(name)) return false;
    before = name;
  }
  return true;
}

function isOpen(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** The same value with every object's members in the order of their names, none falling together with another. */
function ordered(value: unknown, path: string, unknown: NamesOfRecord): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => ordered(item, path, unknown));
  if (!isMembers(value)) return value;
  const names = Object.keys(value);
  if (areOrdered(names) && !names.some((name) => isOpen(value[name]))) return value;
  names.sort();
  const inner = pathTo(path, '.');
  const writtenNames = names.some(hasCapitals) ? new WrittenNames(names) : undefined;
  const writtenAs = (name: string) => {
    const written = writtenNames?.write(name) ?? name;
    if (written !== name) unknown.add(inner, name, written);
    return written;
  };
  const orderedMember = (name: string) => {
    const member = value[name];
    return isOpen(member) ? ordered(member, pathTo(inner, name), unknown) : member;
  };
  if (names.length <= FEW_MEMBERS) {
    return Object.fromEntries(names.map((name) => [writtenAs(name), orderedMember(name)]));
  }
  const many = emptyMembers();
  for (const name of names) many[writtenAs(name)] = orderedMember(name);
  return many;
}

function addUnknown(
  source: Members,
  target: Members,
  shape: ShapeMember[],
  path: string,
  reserved: readonly string[],
  unknown: NamesOfRecord,
): void {
  const known = new Set(shape.map((member) => member.name));
  const names = Object.keys(source)
    .filter((candidate) => !known.has(candidate))
    .sort();
  const taken = [...reserved, ...known].map((name) => name.toLowerCase());
  const writtenNames = new WrittenNames(names, taken);
  for (const name of names) {
    const written = writtenNames.write(name);
    const memberPath = pathTo(path, name);
    unknown.add(path, name, written);
    const value = ordered(source[name], memberPath, unknown);
    // `__proto__` is a name like any other in JSON, and assigning to it is not.
    if (written === '__proto__') Object.defineProperty(target, written, { value, enumerable: true });
    else target[written] = value;
  }
}

function canonicalMembers(
  source: Members,
  target: Members,
  shape: ShapeMember[],
  path: string,
  reserved: readonly string[],
  unknown: NamesOfRecord,
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
  if (Array.isArray(value)) return value.every(isOrdered);
  if (!isMembers(value)) return true;
  const names = Object.keys(value);
  return areOrdered(names) && names.every((name) => isOrdered(value[name]));
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
 * @throws {RenamedMembersError} where too many names differ by case only
 */
export function canonicalRecord(table: Table, record: Members, unknown: UnknownNames): Members {
  const shape = SHAPES[table];
  if (isCanonical(record, shape)) return record;
  return canonicalMembers(record, {}, shape, '', OWN_COLUMNS, new NamesOfRecord(unknown));
}
