import { existsSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { createTable } from '#lake/sql/statements/tables.ts';
import { HISTORY_TABLES } from '#lake/sql/history-tables.ts';
import { startAwsSandbox } from '#sandbox/aws/index.ts';
import { TrinoError, TrinoLake, installTrino, startTrino } from '#sandbox/trino/index.ts';

/*
 * Asks the lake of the local run by hand: on Trino, the engine of Athena, over the files of `npm start`. Tables and views are those of
 * the synthesised template.
 */

const ROOT = join(import.meta.dirname, '..');
const HOME = join(ROOT, '.local/trino');
const TEMPLATE = join(ROOT, 'cdk.out/Daybook-dev-Lake.template.json');
/** The bucket of the local run. */
const BUCKET = 'daybook';

const USAGE = `Asks the lake of the local run by hand, on Trino, the engine of Athena. Needs what test:trino needs.

  npm start                                  # writes the files of a day
  npx cdk synth -c stage=dev --quiet         # writes the tables and views
  npm run lake                               # then type statements, each with ; at its end
  npm run lake < statement.sql

  --directory <dir>  of the local run; default: .local
  -h, --help         show this text

A statement that failed in Athena can be pasted as it is, except CREATE TABLE, ALTER TABLE, OPTIMIZE and VACUUM, whose words differ.
The tables of the history are there, and empty until you merge. Files that you change stay in the directory.
`;

async function ask(lake: TrinoLake, sql: string): Promise<void> {
  try {
    const { columns, rows, updateType, updateCount, stats } = await lake.run(sql);
    for (const row of rows) {
      console.log(JSON.stringify(Object.fromEntries(columns.map(({ name }, index) => [name, row[index]]))));
    }
    const done =
      updateType === undefined ? `${rows.length} rows` : `${updateType} ${updateCount ?? ''}`.trim();
    console.error(
      `${done}, ${(stats.cpuMillis / 1_000).toFixed(2)} s of CPU, ${stats.physicalInputBytes} bytes read`,
    );
  } catch (error) {
    if (!(error instanceof TrinoError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** Runs each statement of stdin at its semicolon, the last one also without. */
async function askAll(lake: TrinoLake): Promise<void> {
  const isTerminal = process.stdin.isTTY;
  const lines = createInterface({
    input: process.stdin,
    ...(isTerminal && { output: process.stderr, prompt: 'lake> ' }),
  });
  if (isTerminal) lines.prompt();
  let sql = '';
  for await (const line of lines) {
    sql += `${line}\n`;
    if (/;\s*$/.test(line)) {
      await ask(lake, sql.trim().replace(/;$/, ''));
      sql = '';
    }
    if (isTerminal) lines.prompt();
  }
  if (sql.trim() !== '') await ask(lake, sql);
}

function givenDirectory(): string {
  try {
    const { values } = parseArgs({
      options: {
        directory: { type: 'string', default: '.local' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (!values.help) return resolve(values.directory);
    process.stdout.write(USAGE);
    process.exit(0);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    console.error(`${message.split(/[.\n]/)[0] ?? message}; see --help`);
    process.exit(2);
  }
}

const directory = givenDirectory();
for (const [path, command] of [
  [join(directory, 's3', BUCKET), 'npm start'],
  [TEMPLATE, 'npx cdk synth -c stage=dev --quiet'],
] as const) {
  if (existsSync(path)) continue;
  console.error(`${path} is missing: run "${command}" first`);
  process.exit(2);
}

const installation = await installTrino(HOME, (line) => console.error(`trino: ${line}`));
const server = join(HOME, `server-${process.pid}`);
// The server ends with this process, also when a signal ends it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const trino = await startTrino(installation, { directory: server });
const aws = await startAwsSandbox({ directory });
try {
  const lake = await TrinoLake.open({
    url: trino.url,
    s3Endpoint: aws.environment['AWS_ENDPOINT_URL_S3'] ?? '',
    bucket: BUCKET,
    template: JSON.parse(await readFile(TEMPLATE, 'utf8')),
  });
  for (const table of HISTORY_TABLES) {
    const place = { database: lake.database, location: `s3://${BUCKET}/lake/${table.name}/` };
    await lake.run(createTable(table, place, 'trino'));
  }
  await askAll(lake);
} finally {
  await aws.close();
  await trino.close();
  rmSync(server, { recursive: true, force: true });
}
