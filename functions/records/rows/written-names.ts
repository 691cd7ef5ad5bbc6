import { isMembers } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import { LONGEST_NAME, shortName } from './drift-tallies.ts';

/**
 * Gets the names that the contract does not have, while rows are made: the service's name and the written
 * name. Of members inside unknown members it gets only those that are written under another name.
 */
export interface UnknownNames {
  set(name: string, written: string): unknown;
}

/** The path to a member. A long path is cut, because it is written for each member below it. */
function pathTo(path: string, name: string): string {
  // A path that was cut stays unchanged.
  if (path.length === LONGEST_NAME && path.endsWith('…')) return path;
  return shortName(`${path}${shortName(name)}`);
}

/** Most members of a record that are written under another name. Items of a list with the same names count once. */
const MOST_RENAMED = 100;

/** Each name that differs by case only costs a made one. The pull makes a ContractError of it: it knows the table. */
export class RenamedMembersError extends Error {
  constructor() {
    super(`a record has more than ${MOST_RENAMED} names that differ from another by case only`);
  }
}

/** The unknown names of one record, on their way to those of all records. */
export class NamesOfRecord {
  readonly #unknown: UnknownNames;
  /** Made when it is needed: hardly any record has such a name. */
  #renamed: Set<string> | undefined;

  constructor(unknown: UnknownNames) {
    this.#unknown = unknown;
  }

  /** @param path to the object, with a dot at its end @throws {RenamedMembersError} */
  add(path: string, name: string, written: string): void {
    this.#unknown.set(pathTo(path, name), pathTo(path, written));
    if (written === name) return;
    // Not the kept path: it may be cut, and so the same for all of them.
    this.#renamed ??= new Set();
    this.#renamed.add(`${path}${name}`);
    if (this.#renamed.size > MOST_RENAMED) throw new RenamedMembersError();
  }
}

/**
 * The names of one object as they are written. Query engines turn names into lower case, and two names that
 * then are equal break every query on the file. So the later one gets the smallest free number at its end.
 */
export class WrittenNames {
  /** The taken names, in lower case, each with the next number to try. So no number is tried twice. */
  readonly #next: Map<string, number>;

  /** @param taken in lower case */
  constructor(taken: readonly string[] = []) {
    this.#next = new Map(taken.map((column) => [column, 2]));
  }

  /** The name to write. It is taken from now on. */
  write(name: string): string {
    const column = name.toLowerCase();
    let number = this.#next.get(column);
    if (number === undefined) {
      this.#next.set(column, 2);
      return name;
    }
    while (this.#next.has(`${column}__${number}`)) number += 1;
    this.#next.set(column, number + 1);
    this.#next.set(`${column}__${number}`, 2);
    return `${name}__${number}`;
  }
}

const INDEX = /^(?:0|[1-9]\d{0,9})$/;

/** Whether every object has the name before its other names, whatever their order: it is an index of an array. */
export function isIndex(name: string): boolean {
  return INDEX.test(name) && Number(name) < 2 ** 32 - 1;
}

function hasCapitals(name: string): boolean {
  return name !== name.toLowerCase();
}

/** Whether these names are in order, and have no capitals: then they do not differ by case only. */
function areOrdered(names: readonly string[]): boolean {
  let before = '';
  for (const name of names) {
    if (isIndex(name)) continue;
    if (name <= before || hasCapitals(name)) return false;
    before = name;
  }
  return true;
}

function isOpen(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** With the members of every object ordered by name. Names that differ by case only get a number. */
export function ordered(value: unknown, path: string, unknown: NamesOfRecord): unknown {
  if (Array.isArray(value))
    return value.some(isOpen) ? value.map((item: unknown) => ordered(item, path, unknown)) : value;
  if (!isMembers(value)) return value;
  const names = Object.keys(value);
  if (areOrdered(names) && !names.some((name) => isOpen(value[name]))) return value;
  names.sort();
  const inner = pathTo(path, '.');
  const writtenNames = names.some(hasCapitals) ? new WrittenNames() : undefined;
  const writtenAs = (name: string) => {
    const written = writtenNames?.write(name) ?? name;
    if (written !== name) unknown.add(inner, name, written);
    return written;
  };
  const orderedMember = (name: string) => {
    const member = value[name];
    return isOpen(member) ? ordered(member, pathTo(inner, name), unknown) : member;
  };
  // Not by assignment: `__proto__` is an ordinary name in JSON.
  return Object.fromEntries(names.map((name) => [writtenAs(name), orderedMember(name)]));
}

/**
 * The members of an object of the contract that stand behind the contract's own, in their order: those that the contract does not have, and
 * the misfits, which are written like a newcomer with a name that is taken.
 * @param known the contract's names
 * @param misfits those of them whose values the lake's columns do not take
 * @param path the path to the object, with a dot at its end
 * @param reserved further names that are taken
 */
export function othersOf(
  source: Members,
  known: readonly string[],
  misfits: readonly string[],
  path: string,
  reserved: readonly string[],
  unknown: NamesOfRecord,
): Members {
  const contract = new Set(known);
  const names = Object.keys(source)
    .filter((candidate) => !contract.has(candidate))
    .concat(misfits)
    .sort();
  const taken = [...reserved, ...known].map((name) => name.toLowerCase());
  const writtenNames = new WrittenNames(taken);
  // Not by assignment: `__proto__` is an ordinary name in JSON.
  return Object.fromEntries(
    names.map((name) => {
      const written = writtenNames.write(name);
      unknown.add(path, name, written);
      return [written, ordered(source[name], pathTo(path, name), unknown)];
    }),
  );
}
