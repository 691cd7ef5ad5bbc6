import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { MAY_SKIP } from '#support/may-skip.ts';
import { runScript } from '#support/run-script.ts';
import * as z from 'zod';

const COMMAND = join(import.meta.dirname, '../../../bench/peers/run.ts');
const hasPython = spawnSync('python3', ['--version']).status === 0;
const LONGEST_RUN = 3 * 60_000;

const takenSchema = z.object({ wall: z.number(), cpu: z.number(), peak: z.number() });
const resultsSchema = z.object({
  cases: z.array(
    z.object({
      perPage: z.number(),
      latency: z.number(),
      rounds: z.array(z.record(z.string(), takenSchema)),
    }),
  ),
});

it.skipIf(!hasPython && MAY_SKIP)(
  'measures Daybook and the tuned Node loop as whole processes, without a package of Python',
  { timeout: LONGEST_RUN },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-peers-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'figures.json');
    const size = ['--rounds', '2', '--invoices', '70', '--per-page', '15', '--latency', '0,5'];
    const { code, out, complaints } = await run(...size, '--only', 'Node loop, fetch', '--json', file);
    expect({ code, complaints }).toMatchObject({ code: 0 });
    expect(out).toMatch(
      /70 invoices, 15 a page, 5 ms a request\*\*\n\n[^\n]*leaves out[^\n]*\n[^\n]*\n\| Daybook/,
    );

    const { cases } = resultsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    expect(cases.map(({ latency, rounds }) => [latency, rounds.length])).toEqual([
      [0, 2],
      [5, 2],
    ]);
    for (const round of cases.flatMap(({ rounds }) => rounds)) {
      expect(Object.keys(round).sort()).toEqual(['Daybook', 'Node loop, fetch']);
      for (const { wall, cpu, peak } of Object.values(round)) {
        expect(Math.min(wall, cpu)).toBeGreaterThan(50);
        expect(peak).toBeGreaterThan(40 * 1_048_576);
      }
    }
  },
);

it('refuses an unknown program or a wrong value', async () => {
  expect(await run('--only', 'awk')).toMatchObject({ code: 2, out: '' });
  expect(await run('--latency', '0,x')).toEqual({
    code: 2,
    out: '',
    complaints: 'bench:peers: --latency must be a whole number from 0 to 1000, not "x"\n',
  });
});

function run(...args: string[]) {
  return runScript(COMMAND, args);
}
