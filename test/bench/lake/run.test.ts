import { expect, it } from 'vitest';
import { measureLake } from '#bench/lake/measure-lake.ts';
import { boundRows, queryTable, questionTable } from '#bench/lake/tables.ts';

const LONGEST_RUN = 10 * 60_000;

it(
  'gets the same answers from the history as from the JSON objects, and counts what both take',
  { timeout: LONGEST_RUN },
  async () => {
    const results = await measureLake({ merchants: 4, days: 3 }, () => undefined);
    const { written, opened, history, questions, queries } = results;
    expect(questionTable(results).rows).toHaveLength(12);
    expect(boundRows(results)).toHaveLength(10);

    expect(written.pages).toBe(12);
    const rowsOf = (table: string) => history.find((one) => one.table === table)?.rows ?? 0;
    expect(rowsOf('invoices_history') + rowsOf('refunds_history')).toBe(written.rows);
    expect(rowsOf('days_history')).toBe(12);
    expect(opened.optimised).toBeGreaterThan(0);
    expect(opened.optimised).toBeLessThanOrEqual(opened.merged);
    expect(questions.map(({ name }) => name)).toEqual([
      'sum per merchant',
      'counts per day',
      'refunds per status',
      'one day',
    ]);
    for (const { rows, taken } of questions) {
      expect(rows).toBeGreaterThan(0);
      expect(taken.json.lists).toBeGreaterThan(0);
      expect(taken.json.metadata).toBe(0);
      // The engine finds the history's files without a list. For `all_*` it looks for the file of merchants, not for the pages'.
      expect(taken.history.lists).toBe(0);
      expect(taken.all.lists).toBeLessThanOrEqual(2);
      expect(taken.history.metadata).toBeGreaterThan(0);
      expect(taken.all.objects).toBe(taken.history.objects);
      expect(taken.history.ofPages).toBe(0);
    }
    // These read what each revision said, which the history does not have.
    const ofPages = queries.filter(({ taken }) => taken.ofPages > 0).map(({ name }) => name);
    expect(ofPages).toEqual(['late-changes', 'late-changes-by-record', 'statements-against-days']);
    expect(queryTable(results).rows).toHaveLength(queries.length);
  },
);
