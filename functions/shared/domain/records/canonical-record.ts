import type { Table } from '../revision/manifest.ts';
import { isMembers } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import { NamesOfRecord, pathTo } from './names-of-record.ts';
import type { UnknownNames } from './names-of-record.ts';
import { OWN_COLUMNS, SHAPES } from './row-shape.ts';
import type { ShapeMember } from './row-shape.ts';

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The name without its `__2`, `undefined` when it has no such number. */
function withoutNumber(column: string): string | undefined {
  let end = column.length;
  while (isDigit(column.charCodeAt(end - 1))) end -= 1;
  return end < column.length && column.endsWith('__', end) ? column.slice(0, end - 2) : undefined;
}

/**
 * The names of one object as they are written. Query engines turn names into lower case, and two names that
 * then are equal break every query on the file. So the later one gets a number at its end.
 */
export class WrittenNames {
  /** The taken names, in lower case, each with the next number to try. So no number is tried twice. */
  readonly #next = new Map<string, number>();
  /**
   * The names that were sent with a number, without it: only for these names a number may be taken already.
   */
  readonly #numbered = new Set<string>();

  /**
   * @param names all names that {@link write} will get
   * @param taken in lower case
   */
  constructor(names: Iterable<string>, taken: Iterable<string> = []) {
    for (const column of taken) {
      this.#next.set(column, 2);
      this.#addNumbered(column);
    }
    for (const name of names) this.#addNumbered(name);
  }

  #addNumbered(name: string): void {
    if (isDigit(name.charCodeAt(name.length - 1))) {
      const column = withoutNumber(name.toLowerCase());
      if (column !== undefined) this.#numbered.add(column);
    }
  }

  /** The name to write. It is taken from now on. */
  write(name: string): string {
    const column = name.toLowerCase();
    const next = this.#next.get(column);
    if (next === undefined) {
      this.#next.set(column, 2);
      return name;
    }
    const number = this.#numbered.has(column) ? this.#free(column, next) : next;
    this.#next.set(column, number + 1);
    return `${name}__${number}`;
  }

  /** The smallest free number from `next` on. It is taken from now on. */
  #free(column: string, next: number): number {
    let number = next;
    while (this.#next.has(`${column}__${number}`)) number += 1;
    this.#next.set(`${column}__${number}`, 2);
    return number;
  }
}

/** For larger objects V8 would create and drop a hidden class each. */
const FEW_MEMBERS = 64;

/**
 * An object without members or prototype. It takes any name, also `__proto__`, which is an ordinary name in
 * JSON.
 */
function emptyMembers(): Members {
  const empty: unknown = Object.create(null);
  return isMembers(empty) ? empty : {};
}

/** In any object, names that are such numbers come first, in numeric order, whenever they were added. */
const INDEX = /^(?:0|[1-9]\d{0,8})$/;

function hasCapitals(name: string): boolean {
  return name !== name.toLowerCase();
}

/**
 * Whether an object with these names has them in order. Names without capitals cannot differ by case only.
 */
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

/**
 * The same value with the members of every object ordered by name. Names that differ by case only get a
 * number.
 */
export function ordered(value: unknown, path: string, unknown: NamesOfRecord): unknown {
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

/**
 * Adds the members that the contract does not have, and the misfits: they are written like a newcomer with a name that is
 * taken.
 */
function addOthers(
  source: Members,
  target: Members,
  shape: ShapeMember[],
  misfits: readonly string[],
  path: string,
  reserved: readonly string[],
  unknown: NamesOfRecord,
): void {
  const known = new Set(shape.map((member) => member.name));
  const names = Object.keys(source)
    .filter((candidate) => !known.has(candidate))
    .concat(misfits)
    .sort();
  const taken = [...reserved, ...known].map((name) => name.toLowerCase());
  const writtenNames = new WrittenNames(names, taken);
  for (const name of names) {
    const written = writtenNames.write(name);
    const memberPath = pathTo(path, name);
    unknown.add(path, name, written);
    const value = ordered(source[name], memberPath, unknown);
    // `__proto__` is an ordinary name in JSON, but assigning to it is special.
    if (written === '__proto__') Object.defineProperty(target, written, { value, enumerable: true });
    else target[written] = value;
  }
}

/**
 * Whether the lake's column takes the value. One value of another kind breaks every query over its file
 * (docs/data-dictionary.md).
 */
function fitsColumn({ members, fits, isText }: ShapeMember, value: unknown): boolean {
  if (isText || value === null) return true;
  return members === null ? fits(value) : isMembers(value);
}

function canonicalMembers(
  source: Members,
  target: Members,
  shape: ShapeMember[],
  path: string,
  reserved: readonly string[],
  unknown: NamesOfRecord,
): Members {
  const misfits: string[] = [];
  let found = 0;
  for (const member of shape) {
    const { name, members } = member;
    const value = source[name];
    // The service left it out.
    if (value === undefined) continue;
    found += 1;
    if (!fitsColumn(member, value)) {
      misfits.push(name);
      target[name] = null;
    } else if (members !== null && isMembers(value)) {
      target[name] = canonicalMembers(value, {}, members, `${path}${name}.`, [], unknown);
    } else {
      target[name] = ordered(value, `${path}${name}`, unknown);
    }
  }
  if (misfits.length > 0 || Object.keys(source).length > found) {
    addOthers(source, target, shape, misfits, path, reserved, unknown);
  }
  return target;
}

/** Whether the members of every object are ordered by name, without names that differ by case only. */
function isOrdered(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isOrdered);
  if (!isMembers(value)) return true;
  const names = Object.keys(value);
  return areOrdered(names) && names.every((name) => isOrdered(value[name]));
}

/** Whether the members are exactly those of the shape, in its order, and their values are in order too. */
function isCanonical(source: Members, shape: ShapeMember[]): boolean {
  let index = 0;
  for (const name in source) {
    const member = shape[index];
    if (member?.name !== name) return false;
    const value = source[name];
    if (!fitsColumn(member, value)) return false;
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
 * The record as snapshots hold it: the contract's members in its order, then unknown members by name. Values
 * are not changed. A value that the lake's column cannot take is written as `<name>__2`, and its member is null. Equal records give equal results, whatever the order in which their members were sent. A
 * record that is already in order, as nearly all are, is not copied.
 *
 * @param record a record that has what its table needs
 * @param unknown collects the names that the contract does not have
 * @throws {RenamedMembersError} when too many names differ by case only
 */
export function canonicalRecord(table: Table, record: Members, unknown: UnknownNames): Members {
  const shape = SHAPES[table];
  if (isCanonical(record, shape)) return record;
  return canonicalMembers(record, {}, shape, '', OWN_COLUMNS, new NamesOfRecord(unknown));
}
