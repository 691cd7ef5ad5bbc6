import { LONGEST_NAME, shortName } from './name-tally.ts';

/**
 * Gets the names that the contract does not have, while rows are made: the service's name and the written
 * name. Of members inside unknown members it gets only those that are written under another name.
 */
export interface UnknownNames {
  set(name: string, written: string): unknown;
}

/** The path to a member. A long path is cut, because it is written for each member below it. */
export function pathTo(path: string, name: string): string {
  // A path that was cut stays unchanged.
  if (path.length === LONGEST_NAME && path.endsWith('…')) return path;
  return shortName(`${path}${shortName(name)}`);
}

/**
 * The most members of one record that may be written under another name. Items of a list with the same names
 * count once.
 */
const MOST_RENAMED = 100;

/**
 * A record has more names that differ by case only than one may have: each costs a name that is made for it. The pull makes
 * a ContractError of it, which knows the table.
 */
export class RenamedMembersError extends Error {
  constructor() {
    super(`a record has more than ${MOST_RENAMED} names that differ from another by case only`);
  }
}

/** The unknown names of one record, on their way to those of all records. */
export class NamesOfRecord {
  readonly #unknown: UnknownNames;
  readonly #renamed = new Set<string>();

  constructor(unknown: UnknownNames) {
    this.#unknown = unknown;
  }

  /**
   * @param path the path to the object, with a dot at its end
   * @param name the name of the object's member
   * @throws {RenamedMembersError} when too many are written under another name
   */
  add(path: string, name: string, written: string): void {
    this.#unknown.set(pathTo(path, name), pathTo(path, written));
    if (written === name) return;
    // Not the kept path: it may be cut, and so the same for all of them.
    this.#renamed.add(`${path}${name}`);
    if (this.#renamed.size > MOST_RENAMED) throw new RenamedMembersError();
  }
}
