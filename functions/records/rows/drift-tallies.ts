import { integerText, isExactInteger, isMembers } from '../json/exact-json.ts';
import type { Integer, Members } from '../json/exact-json.ts';

/** A service that invents a name for each record must not fill memory and manifest. */
const MOST_NAMES = 100;
/** The most characters of a name that are kept. No useful field has a longer name. */
export const LONGEST_NAME = 200;

export function shortName(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 1).toWellFormed()}…`;
}

/** Unknown members by the service's names, each with the written name: the first hundred, and a count of the others. */
export class BoundedNames extends Map<string, string> {
  /** How often a member came whose name is not kept. */
  others = 0;

  override set(name: string, written: string): this {
    if (this.size < MOST_NAMES || this.has(name)) return super.set(name, written);
    this.others += 1;
    return this;
  }
}

/** How often names came: the first hundred each, the others together. */
export class NameTally {
  readonly #counts = new Map<string, number>();
  #others = 0;

  add(name: string, times = 1): void {
    const kept = shortName(name);
    const known = this.#counts.get(kept);
    if (known === undefined && this.#counts.size >= MOST_NAMES) this.#others += times;
    else this.#counts.set(kept, (known ?? 0) + times);
  }

  addAll(tally: NameTally): void {
    for (const [name, times] of tally.#counts) this.add(name, times);
    this.#others += tally.#others;
  }

  get others(): number {
    return this.#others;
  }

  /** How often each kept name came, ordered by name. */
  counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }
}

/** What came in place of what the contract shows. A `string` or `number` is not of the contract's format. */
export const MISFIT_KINDS = [
  'missing',
  'null',
  'boolean',
  'number',
  'empty string',
  'string',
  'array',
  'object',
] as const;
type Kind = (typeof MISFIT_KINDS)[number];

/** A member whose value is not as the contract shows it. */
interface Misfit {
  /** Such as `customer.name`. */
  field: string;
  kind: Kind;
  count: number;
  /** The ids of the first records with it. Empty for what is around the records. */
  ids: string[];
}

/** A member as the contract shows it, of `shapeOf`. */
interface ShownMember {
  name: string;
  members: readonly ShownMember[] | null;
  fits: (value: unknown) => boolean;
}

/** The most pairs of a field and a kind that are kept. */
const MOST_MISFITS = 100;
const MOST_IDS = 5;
/** The most digits of an id that are kept. The sealed rows have all of them. */
const LONGEST_ID = 40;

function kindOf(value: unknown): Kind {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number' || isExactInteger(value)) return 'number';
  if (typeof value === 'string') return value === '' ? 'empty string' : 'string';
  return 'object';
}

export function shownId(id: Integer): string {
  const digits = integerText(id);
  return digits.length > LONGEST_ID ? `${digits.slice(0, LONGEST_ID)}…` : digits;
}

/** Counts members whose values are not as the contract shows them. What it keeps does not grow with the records. */
export class MisfitTally {
  readonly #misfits = new Map<string, Misfit>();
  #others = 0;

  /** @param id of the record, if it is one */
  add(members: Members, shape: readonly ShownMember[], id?: Integer, path = ''): void {
    for (const { name, members: inner, fits } of shape) {
      const value = members[name];
      if (fits(value)) continue;
      const field = `${path}${name}`;
      if (inner !== null && isMembers(value)) this.add(value, inner, id, `${field}.`);
      else this.#note(field, kindOf(value), 1, id === undefined ? [] : [shownId(id)]);
    }
  }

  addAll(tally: MisfitTally): void {
    for (const { field, kind, count, ids } of tally.#misfits.values()) this.#note(field, kind, count, ids);
    this.#others += tally.#others;
  }

  get others(): number {
    return this.#others;
  }

  list(): Misfit[] {
    const order = ({ field, kind }: Misfit) => `${field} ${kind}`;
    return [...this.#misfits.values()].sort((one, other) => (order(one) < order(other) ? -1 : 1));
  }

  #note(field: string, kind: Kind, count: number, ids: readonly string[]): void {
    const key = `${field} ${kind}`;
    const known = this.#misfits.get(key);
    if (known !== undefined) {
      known.count += count;
      for (const id of ids) if (known.ids.length < MOST_IDS) known.ids.push(id);
    } else if (this.#misfits.size < MOST_MISFITS)
      this.#misfits.set(key, { field, kind, count, ids: [...ids] });
    else this.#others += count;
  }
}
