import { LONGEST_NAME, shortName } from './name-tally.ts';

/**
 * Gets the names that the contract does not know, as rows are made: the service's name, and what it is written as. Of
 * members inside unknown ones only those that are written otherwise.
 */
export interface UnknownNames {
  set(name: string, written: string): unknown;
}

/** The way to a member. Cut where it is long, since it is written for each of the members below it. */
export function pathTo(path: string, name: string): string {
  // A way that is cut already stays as it is, whatever is added.
  if (path.length === LONGEST_NAME && path.endsWith('…')) return path;
  return shortName(`${path}${shortName(name)}`);
}

/** Members of one record that may be written under another name. A list whose items have the same names counts once. */
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

/** The names of one record that the contract does not know, on their way to those of all records. */
export class NamesOfRecord {
  readonly #unknown: UnknownNames;
  readonly #renamed = new Set<string>();

  constructor(unknown: UnknownNames) {
    this.#unknown = unknown;
  }

  /**
   * @param path the way to the object, with the dot behind it
   * @param name of the object's member
   * @throws {RenamedMembersError} where too many are written under another name
   */
  add(path: string, name: string, written: string): void {
    this.#unknown.set(pathTo(path, name), pathTo(path, written));
    if (written === name) return;
    // Not the way as it is kept: that may be cut, and so the same for all of them.
    this.#renamed.add(`${path}${name}`);
    if (this.#renamed.size > MOST_RENAMED) throw new RenamedMembersError();
  }
}
