import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createTable } from '#lake/sql/statements/tables.ts';
import { HISTORY_TABLES } from '#lake/sql/history-tables.ts';

/**
 * The columns that the tables of every deployed stage have, with Athena's types. `CREATE TABLE IF NOT EXISTS` adds no column to
 * them, so operators add a new one by hand. CONTRIBUTING.md says how to add a column.
 */
const held = z
  .record(z.string(), z.record(z.string(), z.string()))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'history-columns.json'), 'utf8')));

const defined = Object.fromEntries(
  HISTORY_TABLES.map((table) => {
    const sql = createTable(table, { database: 'daybook', location: 's3://bucket/' }, 'athena');
    const columns = [...sql.matchAll(/^ {2}`(\w+)` ([^,\n]+(?:,\d+\))?)/gm)];
    return [table.name, Object.fromEntries(columns.map(([, name = '', type = '']) => [name, type]))];
  }),
);

describe.each(HISTORY_TABLES.map(({ name, columns }) => [name, columns.length] as const))(
  'the table %s',
  (name, count) => {
    const before = held[name] ?? {};
    const now = defined[name] ?? {};

    it('has a type for each of its columns', () => {
      expect(Object.keys(now)).toHaveLength(count);
    });

    it('has no column that the tables of deployed stages lack', () => {
      const added = Object.entries(now).filter(([column]) => before[column] === undefined);
      const statements = added.map(([column, type]) => `ALTER TABLE ${name} ADD COLUMNS (${column} ${type})`);
      expect(statements, 'see "How to add a column to the lake" in CONTRIBUTING.md').toEqual([]);
    });

    it('keeps every column and its type', () => {
      expect(now).toEqual(expect.objectContaining(before));
    });
  },
);
