import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UnavailableError } from '#sandbox/outside-program.ts';
import { pythonEnvironment } from '#sandbox/python-environment.ts';
import { readOptions } from './command-line.ts';

const ROOT = join(import.meta.dirname, '..');
const RECIPES = join(ROOT, 'docs/recipes');

const usage = `Opens the lake without Athena (docs/without-athena.md). Needs Python 3; the first run installs DuckDB, pandas and Polars
under .local/lake.

  npm run lake -- [options]

  --lake PLACE   a folder with the files of the bucket, or s3://BUCKET; default: .local/s3/daybook, those of npm start
  --days GLOB    files of these days only, such as '2026-11-*'
  --ask SQL      print the answer and end; default: DuckDB's shell
  --python       Python with the lake in pandas and Polars
  -h, --help     show this text
`;

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** The folder with its Python and DuckDB's shell. @throws {UnavailableError} when Python or a package cannot be had */
export function lakePrograms(): Promise<string> {
  return pythonEnvironment(
    join(ROOT, '.local/lake/python'),
    join(import.meta.dirname, 'lake-requirements.txt'),
  );
}

interface Options {
  lake: string;
  days: string;
  ask?: string | undefined;
  python: boolean;
}

async function open({ lake, days, ask, python }: Options): Promise<number> {
  const folder = await lakePrograms();
  const commands = [
    `SET VARIABLE lake = ${text(lake)}`,
    `SET VARIABLE days = ${text(days)}`,
    `.read ${text(join(RECIPES, 'lake.sql'))}`,
    ...(ask === undefined ? [] : [ask]),
  ].flatMap((command) => [ask === undefined ? '-cmd' : '-c', command]);
  const [program, args] = python
    ? [join(folder, 'python'), ['-i', join(RECIPES, 'lake.py'), lake, days]]
    : [join(folder, 'duckdb'), commands];
  const child = spawn(program, args, { stdio: 'inherit' });
  await once(child, 'exit');
  return child.exitCode ?? 1;
}

async function main(options: Options): Promise<number> {
  const { lake } = options;
  if (!/^\w+:\/\//.test(lake) && !existsSync(join(lake, 'days'))) {
    console.error(`lake: ${lake} has no days; npm start makes some, or choose another place with --lake`);
    return 2;
  }
  try {
    return await open(options);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    console.error(`lake: ${error.message}`);
    return 1;
  }
}

if (import.meta.main) {
  process.exitCode = await main(
    readOptions(usage, {
      lake: { type: 'string', default: join(ROOT, '.local/s3/daybook') },
      days: { type: 'string', default: '*' },
      ask: { type: 'string' },
      python: { type: 'boolean', default: false },
    }),
  );
}
