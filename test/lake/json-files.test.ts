import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LakeType } from '#lib/lake/lake-type.ts';
import { LAKE_TABLES } from '#lib/lake/tables/index.ts';
import { DAY } from '#support/world/daybook-world.ts';
import { THIRD, startLakeWorld } from '#support/lake/lake-world.ts';
import type { LakeWorld } from '#support/lake/lake-world.ts';
import { namesThatFallTogether } from '#support/lake/lower-cased.ts';
import { recordOf } from '#support/assertions/record-of.ts';

let made: LakeWorld;
beforeAll(async () => {
  made = await startLakeWorld();
});
afterAll(() => made.close());

const JSON_TABLES = LAKE_TABLES.filter(
  ({ format, partitions }) => format === 'json' && partitions.length === 1,
);

/** The lines of every object that a table reads. */
function linesOf(prefix: string, partition = 'day'): string[] {
  return globSync(`${prefix}${partition}=*/**/*.*`, { cwd: made.directory }).flatMap((key) => {
    const stored = readFileSync(join(made.directory, key));
    const text = (key.endsWith('.gz') ? gunzipSync(stored) : stored).toString('utf8');
    return text.replace(/\n$/, '').split('\n');
  });
}

/**
 * Whether the OpenX SerDe reads a value as the type, by its documented rules: a string column takes anything, since
 * objects become their JSON; a number takes digits only, and neither an object nor an array becomes one.
 */
function fits(type: LakeType, value: unknown): boolean {
  if (value === null || value === undefined || type === 'string') return true;
  if (type === 'bigint') {
    if (typeof value !== 'string' || !/^-?\d+$/.test(value)) return false;
    return BigInt.asIntN(64, BigInt(value)) === BigInt(value);
  }
  if (type === 'double') return Number.isFinite(Number(value)) && typeof value !== 'object';
  if (type === 'boolean') return typeof value === 'boolean';
  if ('list' in type) return Array.isArray(value) && value.every((item) => fits(type.list, item));
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  if ('map' in type) return Object.values(value).every((item) => fits(type.map, item));
  const members = Object.entries(recordOf(value));
  const byName = new Map(members.map(([name, item]) => [name.toLowerCase(), item]));
  return type.members.every((member) => fits(member.type, byName.get(member.name.toLowerCase())));
}

describe.each(JSON_TABLES.map((table) => [table.name, table] as const))('the files of %s', (_name, table) => {
  const lines = () => linesOf(table.prefix, table.partitions[0]);

  it('have one object on each line', () => {
    expect(lines().length).toBeGreaterThan(table.name === 'changes' ? 1 : 5);
    for (const line of lines()) {
      expect(line.startsWith('{') && line.endsWith('}')).toBe(true);
      expect(line).not.toMatch(/[\r\n]/);
      expect(() => void JSON.parse(line)).not.toThrow();
    }
  });

  it('have no two names that are equal in lower case', () => {
    for (const line of lines()) expect(namesThatFallTogether(line)).toEqual([]);
  });

  it('have values that fit the columns', () => {
    const digits = (_: string, value: unknown, { source }: { source?: string }) =>
      typeof value === 'number' ? source : value;
    for (const line of lines()) {
      const row = recordOf(JSON.parse(line, digits));
      const byName = new Map(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]));
      for (const column of table.columns) {
        const value = byName.get(column.name.toLowerCase());
        expect(fits(column.type, value), `${column.name}: ${JSON.stringify(value)}`).toBe(true);
        if (!column.nullable) expect(value ?? null, column.name).not.toBeNull();
      }
    }
  });
});

it('unknown names that would be equal in lower case are stored under other names', () => {
  const drifted = linesOf(`invoices/json/`).filter((line) => line.includes('"loyalty"'));
  expect(drifted).toHaveLength(60);
  for (const line of drifted) {
    expect(JSON.parse(line)).toMatchObject({
      Amount__3: 'not the amount',
      AMOUNT__2: 12.5,
      Token__2: { DEEP: [{ A: 2, a__2: 1 }], Deep__2: 1, deep__3: 2 },
      _day: DAY,
      _DAY__2: 'not the day',
    });
  }
});

it('the manifest lists the renamed members, and its own names differ in lower case', async () => {
  const { drift } = await made.world.manifest(1, THIRD);
  expect(drift.renamedFields.invoices).toMatchObject({
    amount__2: ['AMOUNT'],
    amount__3: ['Amount'],
    'token.deep__3': ['Token.deep'],
    _day__2: ['_DAY'],
  });
  expect(drift.unknownFields.refunds).toEqual(['transaction_Date']);
});

it('the test finds names that are equal in lower case', () => {
  expect(namesThatFallTogether('{"a":[{"Foo":1,"bar":{"x":1,"X":2}}],"A":1}')).toEqual(['.a', '.a[0].bar.x']);
});
