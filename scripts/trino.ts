import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { dayNumber } from './shifted-date.ts';
import { installTrino, startTrino } from '#sandbox/trino/index.ts';
import { withTool } from './outside-tool.ts';

/*
 * Runs the tests of the lake on a real Trino, the engine of Athena. Trino is installed under .local/trino, which the next
 * run uses again. Parameters are passed to Vitest.
 */

const HOME = join(import.meta.dirname, '../.local/trino');

/** Patterns of the tests that take minutes. Each day another line of them runs, because a run of everything has half an hour. */
const IN_TURN = [
  ['test/lake/function/daily.test.ts'],
  ['test/lake/history/all-views.test.ts'],
  ['test/lake/function/failures.test.ts'],
  ['test/lake/function/interrupted.test.ts'],
  // DuckDB has the questions every time.
  [
    'test/lake/groups/**',
    'test/lake/forgetting/**',
    'test/lake/questions.test.ts',
    'test/lake/figures-of-mails.test.ts',
  ],
  ['test/lake/history/merge.test.ts'],
  ['test/lake/history/month.test.ts'],
  ['test/lake/history/look.test.ts', 'test/lake/history/retention.test.ts', 'test/lake/npm-start.test.ts'],
];

function leftOut(now: number): string[] {
  return IN_TURN.filter((_, index) => index !== dayNumber(now) % IN_TURN.length).flat();
}

function parametersOf(given: readonly string[]): string[] {
  const parameters = given.filter((parameter) => parameter !== '--all');
  const namesFiles = parameters.some((parameter) => !parameter.startsWith('-'));
  const left = given.includes('--all') || namesFiles ? [] : leftOut(Date.now());
  for (const pattern of left) console.log(`trino: not today: ${pattern} (--all runs it)`);
  return ['--project', 'trino', ...left.flatMap((pattern) => ['--exclude', pattern]), ...parameters];
}

const usage = `Runs the tests of the lake on Trino, the engine of Athena. Needs Java 17 or later with javac, Maven, and Python 3
unless there is a Java 24. The first run installs Trino (some 400 MB) under .local/trino.

  npm run test:trino -- [files] [--all] [options of Vitest]

  files        run only test files whose paths contain one of these
  --all        run all files; default: without most of those that take minutes, each day others
  -h, --help   show this text

Without --all they take about ten minutes of processor time.
`;

await withTool({ name: 'trino', usage, skipped: 'The lake was not tested' }, async ({ report, vitest }) => {
  const installation = await installTrino(HOME, (line) => console.log(`trino: ${line}`));
  report('installed');
  const directory = join(HOME, `server-${process.pid}`);
  // The server ends with this process, also when a signal ends it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const server = await startTrino(installation, directory);
  report(`serves ${server.url}`);
  const parameters = parametersOf(process.argv.slice(2));
  const status = await vitest(parameters, { DAYBOOK_TRINO: server.url }).finally(() => server.close());
  if (status === 0) rmSync(directory, { recursive: true, force: true });
  else console.log(`trino: its log is in ${directory}`);
  report('everything is done');
  return status;
});
