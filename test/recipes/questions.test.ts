import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NAMED_QUERIES } from '#lib/lake/queries/index.ts';
import { HAS_DUCKDB, askDuckdb } from '#support/lake/duckdb.ts';
import { describeQuestions } from '#support/lake/questions.ts';
import { TODAY, sealRandomMonths } from '#support/lake/random-months.ts';
import { defined } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';

const folder = newDirectory();
const truth = await sealRandomMonths(async (key, body) => {
  await mkdir(dirname(join(folder, key)), { recursive: true });
  await writeFile(join(folder, key), body);
});

describe.runIf(HAS_DUCKDB)('DuckDB', { timeout: 120_000 }, () => {
  let answers: Awaited<ReturnType<typeof askDuckdb>>;
  beforeAll(async () => {
    const named = NAMED_QUERIES.map(({ sql }) => [sql, sql] as const);
    answers = await askDuckdb(folder, TODAY, Object.fromEntries(named));
  }, 120_000);
  const query = async (sql: string) =>
    answers[sql] ?? defined((await askDuckdb(folder, TODAY, { sql }))['sql']);
  describeQuestions({ query, truth });
});
