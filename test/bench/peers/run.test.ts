import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { rowsOf } from '#support/documentation/markdown.ts';
import { MAY_SKIP } from '#support/machine.ts';
import { runScript } from '#support/run-script.ts';

const COMMAND = join(import.meta.dirname, '../../../bench/peers/run.ts');
const hasPython = spawnSync('python3', ['--version']).status === 0;
const LONGEST_RUN = 3 * 60_000;

it.skipIf(!hasPython && MAY_SKIP)(
  'measures Daybook and the tuned Node loop as whole processes, without a package of Python',
  { timeout: LONGEST_RUN },
  async () => {
    const size = ['--rounds', '2', '--invoices', '70', '--per-page', '15', '--latency', '0,5'];
    const { code, out, complaints } = await run(...size, '--only', 'Node loop, fetch');
    expect({ code, complaints }).toMatchObject({ code: 0 });
    for (const latency of [0, 5]) expect(out).toContain(`70 invoices, 15 a page, ${latency} ms a request**`);
    const rows = rowsOf(out, 'program');
    expect(rows.map(([program]) => program)).toEqual([0, 5].flatMap(() => ['Daybook', 'Node loop, fetch']));
    for (const [program, time = '', processor = '', memory = ''] of rows) {
      const [least, lightest] = program === 'Daybook' ? [0.05, 40] : [0, 0];
      expect(Math.min(parseFloat(time), parseFloat(processor))).toBeGreaterThan(least);
      expect(parseFloat(memory)).toBeGreaterThan(lightest);
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
