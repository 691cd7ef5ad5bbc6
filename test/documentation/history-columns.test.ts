import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

const defined = Object.fromEntries(
  HISTORY_TABLES.map((table) => {
    const sql = createTable(table, { database: 'daybook', location: 's3://bucket/' });
    const columns = [...sql.matchAll(/^ {2}`(\w+)` ([^,\n]+(?:,\d+\))?)/gm)];
    return [table.name, Object.fromEntries(columns.map(([, name = '', type = '']) => [name, type]))];
  }),
);

describe.each(HISTORY_TABLES.map(({ name, columns }) => [name, columns.length] as const))(
  'the table %s',
  (name, count) => {
    const before = held[name] ?? {};
    const now = defined[name] ?? {};

    it('has the known columns with their types, and no other', () => {
      expect(Object.keys(now)).toHaveLength(count);
      expect(now, 'see "How to add a column to the lake" in CONTRIBUTING.md').toEqual(before);
    });
  },
);
