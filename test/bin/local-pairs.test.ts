import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { buildFunctions, whyToBuild } from '#bin/local/functions/function-environments.ts';
import { createProgram } from '#bin/local/settings.ts';
import { exitCodeOf, defined } from '#support/assertions/index.ts';
import { LOCAL, figureRow, tableRows, truths } from '#support/local-run/local-run.ts';
import { newDirectory } from '#support/machine.ts';

/*
 * Every option of `npm start -- --help`, to the end of its run: every pair of them in one of seven runs. What stands
 * in the help and not here fails.
 */

/** The options as a person would give them. Each run has a `--directory` of its own. */
const OPTIONS: Record<string, string[]> = {
  merchants: ['--merchants', '2'],
  invoices: ['--invoices', '30'],
  refunds: ['--refunds', '2'],
  day: ['--day', '2025-03-14'],
  later: ['--later'],
  latency: ['--latency', '5'],
  serve: ['--serve'],
  port: ['--serve', '--port', '0'],
  fresh: ['--fresh'],
  'no-alerts': ['--no-alerts'],
};
const CHOICES = Object.keys(OPTIONS);

/** The subsets of four of seven numbers, as bits: any two of them have a number in common. */
const FOURS = Array.from({ length: 128 }, (_, bits) => bits).filter(
  (bits) => bits.toString(2).replaceAll('0', '').length === 4,
);
const PAIRED = Array.from({ length: 7 }, (_, run) =>
  CHOICES.filter((_choice, index) => (defined(FOURS[index]) >> run) % 2 === 1),
);

/** Milliseconds. Five runs share the machine. A run that hangs is ended, and fails. */
const LONGEST = 240_000;

/** Runs it with these choices, and ends it by Ctrl-C once it serves. */
async function run(directory: string, choices: readonly string[]) {
  const args = ['--directory', directory, ...choices.flatMap((choice) => OPTIONS[choice] ?? [])];
  const child = spawn(process.execPath, [LOCAL, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST,
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    stdout += piece;
    if (piece.includes('Inbox: ')) child.kill('SIGINT');
  });
  const [code, stderr] = await Promise.all([exitCodeOf(child), text(child.stderr)]);
  return { code, stdout, stderr };
}

// Else each of the runs would build.
beforeAll(async () => {
  if (whyToBuild() !== undefined) await buildFunctions();
}, LONGEST);

it('the help names these options', () => {
  const named = createProgram().options.map(({ long }) => long?.replace('--', ''));
  expect(named.sort()).toEqual([...Object.keys(OPTIONS), 'directory'].sort());
  for (const [index, one] of CHOICES.entries()) {
    for (const other of CHOICES.slice(index)) {
      expect(PAIRED.some((run) => run.includes(one) && run.includes(other))).toBe(true);
    }
  }
});

describe('npm start', { timeout: 2 * LONGEST }, () => {
  it.concurrent.for([[], ...PAIRED].map((choices) => ({ choices })))(
    'ends with $choices',
    async ({ choices }, { onTestFinished }) => {
      const directory = newDirectory();
      onTestFinished(() => rmSync(directory, { recursive: true }));
      const has = (choice: string) => choices.includes(choice);
      const serves = has('serve') || has('port');
      const { code, stdout, stderr } = await run(directory, choices);

      expect(stderr).toBe(serves ? 'stopped\n' : '');
      expect(code).toBe(serves ? 130 : 0);

      const sealed = tableRows(stdout, 'Balance');
      const figures = tableRows(stdout, 'Refunds');
      const merchants = has('merchants') ? 2 : 3;
      const days = [...sealed.values()].map(([day]) => defined(day));
      const sent = await truths(directory, days);
      expect(sealed.size).toBe(merchants);
      for (const [index, [merchantCode, cells]] of [...sealed].entries()) {
        expect(cells[2]).toBe('balanced');
        expect(figures.get(merchantCode)).toEqual(figureRow(defined(sent[index])));
      }
      expect(/^group /m.test(stdout)).toBe(!has('no-alerts'));
    },
  );
});
