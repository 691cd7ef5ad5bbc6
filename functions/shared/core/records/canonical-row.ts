import type { Table } from '../manifest.ts';
import { isMembers } from './exact-json.ts';
import type { Members } from './exact-json.ts';
import { OWN_COLUMNS, SHAPES } from './row-shape.ts';
import type { ShapeMember } from './row-shape.ts';

/**
 * Names that the contract does not know, seen while rows were made: the service's name, and what it is written as. Of
 * members inside unknown ones only those that are written otherwise.
 */
export type UnknownNames = Map<string, string>;

/**
 * Query engines lower-case names, and two that fall together break every query over the file: the later one gets a
 * number behind it.
 */
function freeName(name: string, taken: Set<string>): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}__${number}`;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}

/** The same value with every object's members in the order of their names, none falling together with another. */
function ordered(value: unknown, path: string, unknown: UnknownNames): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => ordered(item, path, unknown));
  if (!isMembers(value)) return value;
  const taken = new Set<string>();
  const members = Object.keys(value)
    .sort()
    .map((name): [string, unknown] => {
      const written = freeName(name, taken);
      taken.add(written.toLowerCase());
      if (written !== name) unknown.set(`${path}.${name}`, `${path}.${written}`);
      return [written, ordered(value[name], `${path}.${name}`, unknown)];
    });
  return Object.fromEntries(members);
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
  const taken = new Set([...reserved, ...known].map((name) => name.toLowerCase()));
  for (const name of Object.keys(source)
    .filter((candidate) => !known.has(candidate))
    .sort()) {
    const written = freeName(name, taken);
    taken.add(written.toLowerCase());
    unknown.set(`${path}${name}`, `${path}${written}`);
    // Not an assignment: `__proto__` is a name like any other in JSON.
    Object.defineProperty(target, written, {
      value: ordered(source[name], `${path}${name}`, unknown),
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

/** What a row is of, besides the record itself. `queryType` is `null` for refunds. */
export interface RowOrigin {
  merchantCode: string;
  day: string;
  queryType: string | null;
}

/**
 * The record as the snapshots hold it: Daybook's own three members, then the contract's in its order, then those
 * that it does not know by name. Every value stays as it came; equal records give equal rows, whatever the order in
 * which their members were sent.
 *
 * @param record one that has passed its table's schema
 * @param unknown collects the names that the contract does not know
 */
export function canonicalRow(
  table: Table,
  record: Members,
  origin: RowOrigin,
  unknown: UnknownNames,
): Members {
  const row: Members = {
    _merchant_code: origin.merchantCode,
    _day: origin.day,
    _query_type: origin.queryType,
  };
  return canonicalMembers(record, row, SHAPES[table], '', OWN_COLUMNS, unknown);
}

const LINE_BREAK = /\r\n|\r|\n/g;
const ESCAPE_CHARACTER = /\uE000/g;
const TO_BE_REPLACED = /[\r\n\uE000]/;

/**
 * One value as a cell; `null` is an empty one. A line break becomes the two characters `\n`, so that a row is a line; U+E000 is the escape
 * character that the lake's tables name because data never hold it, and so they never do.
 */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // Hardly any value has them, and looking is cheaper than replacing.
  if (!TO_BE_REPLACED.test(text)) return text;
  return text.replace(LINE_BREAK, '\\n').replace(ESCAPE_CHARACTER, '\uFFFD');
}

/** A row's cells in the order of {@link csvColumns}; members that the contract does not know stand in the JSON only. */
export function csvCells(table: Table, row: Members): string[] {
  const cells: string[] = OWN_COLUMNS.map((name) => cell(row[name]));
  for (const { name, members } of SHAPES[table]) {
    const value = row[name];
    if (members === null) {
      cells.push(cell(value));
    } else {
      const nested = isMembers(value) ? value : {};
      for (const member of members) cells.push(cell(nested[member.name]));
    }
  }
  return cells;
}
