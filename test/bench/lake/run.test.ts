import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { runScript } from '#support/run-script.ts';

const number = z.number();
const takenSchema = z.object({
  cpu: number,
  objects: number,
  metadata: number,
  lists: number,
  bytes: number,
});
/** The part of `--json` that is read here. */
const resultsSchema = z.object({
  written: z.object({ pages: number, revisions: number, rows: number }),
  merges: z.array(z.object({ day: z.string(), objects: number, optimised: number })),
  history: z.array(z.object({ table: z.string(), rows: number })),
  questions: z.array(
    z.object({
      name: z.string(),
      rows: number,
      taken: z.object({ json: takenSchema, history: takenSchema, all: takenSchema }),
    }),
  ),
});

const COMMAND = join(import.meta.dirname, '../../../bench/lake/run.ts');
const LONGEST_RUN = 10 * 60_000;
let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'daybook-bench-lake-test-'));
});
afterAll(() => rm(directory, { recursive: true }));

const run = (...args: string[]) => runScript(COMMAND, args);

describe('npm run bench:lake', () => {
  it(
    'gets the same answers from the history as from the JSON objects, and counts what both take',
    { timeout: LONGEST_RUN },
    async () => {
      const file = join(directory, 'figures.json');
      const size = ['--merchants', '4', '--days', '3', '--daily', '2', '--year', '0'];
      const { code, out, complaints } = await run(...size, '--json', file);
      expect({ code, complaints }).toMatchObject({ code: 0 });
      expect(out).toMatch(/\*\*Questions\*\*[\s\S]*\*\*A daily merge\*\*[\s\S]*CPU of the JSON files/);

      const { written, merges, history, questions } = resultsSchema.parse(
        JSON.parse(readFileSync(file, 'utf8')),
      );
      expect(written.pages).toBe(12);
      const rowsOf = (table: string) => history.find((one) => one.table === table)?.rows ?? 0;
      expect(rowsOf('invoices_history') + rowsOf('refunds_history')).toBe(written.rows);
      expect(rowsOf('days_history')).toBe(12);
      expect(merges).toHaveLength(2);
      for (const { objects, optimised } of merges) {
        expect(optimised).toBeGreaterThan(0);
        expect(optimised).toBeLessThanOrEqual(objects);
      }
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
        // The engine finds the history's files without a list, and does not read the JSON files for `all_*`.
        expect([taken.history.lists, taken.all.lists]).toEqual([0, 0]);
        expect(taken.history.metadata).toBeGreaterThan(0);
        expect(taken.all.objects).toBe(taken.history.objects);
      }
    },
  );

  it('refuses an unknown option or a wrong value', async () => {
    expect(await run('--merchants', '0')).toEqual({
      code: 2,
      out: '',
      complaints: 'bench:lake: --merchants must be a whole number from 1 to 1000, not "0"\n',
    });
    expect(await run('--merchant', 'x')).toMatchObject({ code: 2, out: '' });
  });
});
