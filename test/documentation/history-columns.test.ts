import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createTable } from '#lake/sql/statements/tables.ts';
import { HISTORY_TABLES } from '#lake/sql/history-tables.ts';

/**
 * The columns of the tables with Athena's types, of this version and of all before it: stages are upgraded in place, so none may go or
 * change. CONTRIBUTING.md says how to add one.
 */
const held = z
  .record(z.string(), z.record(z.string(), z.string()))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'history-columns.json'), 'utf8')));

it.each(HISTORY_TABLES)('the table $name has the known columns with their types, and no other', (table) => {
  const sql = createTable(table, { database: 'daybook', location: 's3://bucket/' });
  const columns = [...sql.matchAll(/^ {2}`(\w+)` ([^,\n]+(?:,\d+\))?)/gm)];
  const now = Object.fromEntries(columns.map(([, name = '', type = '']) => [name, type]));
  expect(Object.keys(now)).toHaveLength(table.columns.length);
  expect(now, 'see "How to add a column to the lake" in CONTRIBUTING.md').toEqual(held[table.name]);
});
