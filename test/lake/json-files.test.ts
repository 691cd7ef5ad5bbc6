import * as z from 'zod';
import { sqlName } from '#lake/sql/columns.ts';
import type { LakeMember, LakeType } from '#lake/sql/columns.ts';
import { LAKE_TABLES } from '#lib/lake/tables.ts';
import { BUCKET } from '#support/world/daybook-world.ts';
import { Digits, digits } from '#support/lake/lake-world.ts';
import { openLakeWorld } from '#support/lake/running-lake.ts';
import { defined, membersOf } from '#support/assertions/index.ts';

/**
 * The paths in a JSON text at which two names of one object are the same in lower case, which is how the OpenX SerDe
 * tells names apart: it then refuses the line, or takes the last of them.
 */
function namesThatFallTogether(json: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, `${path}[${index}]`);
    } else if (typeof value === 'object' && value !== null) {
      const names = Map.groupBy(Object.keys(value), (name) => name.toLowerCase());
      for (const [name, same] of names) if (same.length > 1) found.push(`${path}.${name}`);
      for (const [name, member] of Object.entries(value)) visit(member, `${path}.${name}`);
    }
  };
  visit(JSON.parse(json), '');
  return found;
}

const { made, lake } = await openLakeWorld();

const JSON_TABLES = LAKE_TABLES.filter(
  ({ format, partitions }) => format === 'json' && partitions.length === 1,
);

/** The keys of every object that a table reads. */
function keysOf(prefix: string, partition = 'day'): string[] {
  return made.world.keys(`${prefix}${partition}=`);
}

async function linesAt(key: string): Promise<string[]> {
  return (await made.world.text(key)).replace(/\n$/, '').split('\n');
}

/** The lines of every object that a table reads. */
async function linesOf(prefix: string, partition?: string): Promise<string[]> {
  return (await Promise.all(keysOf(prefix, partition).map(linesAt))).flat();
}

/** A value as a column of the type has it: objects in a text column are JSON, and here their value. */
function inColumn(type: LakeType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'string') return value instanceof Digits ? value.text : value;
  if (type === 'double') return value instanceof Digits ? Number(value.text) : NaN;
  if (typeof type === 'string') return value instanceof Digits ? value.text : value;
  if ('list' in type)
    return z
      .array(z.unknown())
      .parse(value)
      .map((item) => inColumn(type.list, item));
  if ('map' in type) {
    const entries = Object.entries(membersOf(value));
    return Object.fromEntries(entries.map(([name, item]) => [name, inColumn(type.map, item)]));
  }
  return inColumns(type.members, membersOf(value));
}

/** The values of an object by the names of these columns, which are in lower case. */
function inColumns(columns: readonly LakeMember[], record: Record<string, unknown>): Record<string, unknown> {
  const byName = new Map(Object.entries(record).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.fromEntries(
    columns.map(({ name, type }) => [name.toLowerCase(), inColumn(type, byName.get(name.toLowerCase()))]),
  );
}

/** A row of an answer, with the value of a text that stands for an object or array in the file. */
function opened(row: unknown, expected: unknown): unknown {
  if (typeof row === 'string' && typeof expected === 'object' && expected !== null)
    return JSON.parse(row, digits);
  if (Array.isArray(row) && Array.isArray(expected)) return row.map((item, at) => opened(item, expected[at]));
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return row;
  const wanted = membersOf(expected);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, opened(value, wanted[name])]));
}

describe.each(JSON_TABLES.map((table) => [table.name, table] as const))('the files of %s', (_name, table) => {
  it('have one object on each line, without two names that are equal in lower case', async () => {
    const lines = await linesOf(table.prefix, table.partitions[0]);
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) {
      expect(line.startsWith('{') && line.endsWith('}')).toBe(true);
      expect(line).not.toMatch(/[\r\n]/);
      expect(namesThatFallTogether(line)).toEqual([]);
    }
  });

  it('are read by the engine value for value, in their order', async () => {
    const partition = defined(table.partitions[0]);
    let rows = 0;
    for (const key of keysOf(table.prefix, partition)) {
      const day = defined(new RegExp(`/${partition}=([^/]+)/`).exec(key)?.[1]);
      const names = table.columns.map((column) => `"${sqlName(column)}"`).join(', ');
      const read = await lake.query(
        `SELECT ${names} FROM ${table.name} WHERE ${partition} = '${day}' AND "$path" = 's3://${BUCKET}/${key}'`,
      );
      const expected = (await linesAt(key)).map((line) =>
        inColumns(table.columns, membersOf(JSON.parse(line, digits))),
      );
      expect(read.map((row, index) => opened(row, expected[index]))).toEqual(expected);
      for (const { name, nullable } of table.columns) {
        if (!nullable) for (const row of read) expect(row[name.toLowerCase()], name).not.toBeNull();
      }
      rows += read.length;
    }
    expect(rows).toBeGreaterThan(3);
  });
});
