import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { dayNumber } from './shifted-date.ts';
import { TrinoUnavailableError, installTrino, startTrino } from '#sandbox/trino/index.ts';
import { endWithout } from './without-tool.ts';

/*
 * Runs the tests of the lake on a real Trino, the engine of Athena. Trino is installed under .local/trino, which the next
 * run uses again. Parameters are passed to Vitest.
 */

const ROOT = join(import.meta.dirname, '..');
const HOME = join(ROOT, '.local/trino');
const RESULTS = '.local/trino-results.json';

/** Patterns of the tests that take many minutes. Each day another line of them runs, because a run of everything has half an hour. */
const IN_TURN = [
  ['test/lake/history/month.test.ts'],
  ['test/lake/machine/daily.test.ts'],
  ['test/lake/machine/failures.test.ts'],
  ['test/lake/groups/**', 'test/lake/forgetting/**'],
  ['test/lake/history/merge.test.ts', 'test/lake/history/any-order.test.ts', 'test/bench/lake/run.test.ts'],
];

/** The patterns of the tests that do not run on a day (UTC). @param now milliseconds since 1970 */
function leftOut(now: number): string[] {
  return IN_TURN.filter((_, index) => index !== dayNumber(now) % IN_TURN.length).flat();
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1_000).toFixed(1)} s`;
}

/** @returns the exit status of the tests */
async function test(url: string, given: readonly string[]): Promise<number> {
  const parameters = given.filter((parameter) => parameter !== '--all');
  const namesFiles = parameters.some((parameter) => !parameter.startsWith('-'));
  const left = given.includes('--all') || namesFiles ? [] : leftOut(Date.now());
  for (const pattern of left) console.log(`trino: not today: ${pattern} (--all runs it)`);
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(
    process.execPath,
    [
      vitest,
      'run',
      '--project',
      'trino',
      ...left.flatMap((pattern) => ['--exclude', pattern]),
      ...parameters,
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, DAYBOOK_TRINO: url, DAYBOOK_TEST_RESULTS: RESULTS },
    },
  );
  // The tests end with this process.
  process.once('exit', () => child.kill());
  await once(child, 'exit');
  return child.exitCode ?? 1;
}

const USAGE = `Runs the tests of the lake on Trino, the engine of Athena. Needs Java 17 or later with javac, Maven, and Python 3
unless there is a Java 24. The first run installs Trino (some 400 MB) under .local/trino.

  npm run test:trino -- [files] [--all] [options of Vitest]

  files        run only test files whose paths contain one of these
  --all        run all files; default: without most of those that take many minutes, each day others
  -h, --help   show this text

Without --all they take about ten minutes of processor time.
`;

const began = Date.now();
if (['-h', '--help'].includes(process.argv[2] ?? '')) {
  process.stdout.write(USAGE);
  process.exit(0);
}
rmSync(join(ROOT, RESULTS), { force: true });
try {
  const installation = await installTrino(HOME, (line) => console.log(`trino: ${line}`));
  console.log(`trino: installed after ${seconds(began)}`);
  const directory = join(HOME, `server-${process.pid}`);
  // The server ends with this process, also when a signal ends it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const server = await startTrino(installation, { directory });
  console.log(`trino: serves ${server.url} after ${seconds(began)}`);
  try {
    process.exitCode = await test(server.url, process.argv.slice(2));
  } finally {
    await server.close();
  }
  if (process.exitCode === 0) rmSync(directory, { recursive: true, force: true });
  else console.log(`trino: its log is in ${directory}`);
  console.log(`trino: everything took ${seconds(began)}`);
} catch (error) {
  if (!(error instanceof TrinoUnavailableError)) throw error;
  endWithout('trino', error, 'The lake was not tested');
}
