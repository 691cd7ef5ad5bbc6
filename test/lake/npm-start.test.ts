import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DAY, LONGEST, runLocal } from '#support/local-run/local-run.ts';
import { startAwsSandbox } from '#sandbox/aws/index.ts';
import type { AwsSandbox } from '#sandbox/aws/index.ts';
import type { TrinoLake } from '#sandbox/trino/index.ts';
import { NAMED_QUERIES } from '#lib/lake/queries/index.ts';
import { expectedRow } from '#support/lake/expected.ts';
import { mailStatements, makeHistoryTables, sliceOf } from '#support/lake/history-lake.ts';
import { openLake } from '#support/lake/running-lake.ts';
import { storedRecords } from '#support/lake/lake-world.ts';
import { defined } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';

/** Two days after the day that the run reports. */
const TODAY = '2025-03-16';
const BUCKET = 'daybook';

let directory: string;
let aws: AwsSandbox;
let lake: TrinoLake;
beforeAll(async () => {
  directory = newDirectory();
  const args = ['--directory', directory, '--day', DAY, '--no-alerts', '--merchants', '3'];
  // Built functions, one process each; afterwards invoices are paid and refunds approved, so there is a second revision.
  const ended = await runLocal(...args, '--invoices', '60', '--refunds', '6', '--later');
  if (ended.code !== 0) throw new Error(ended.stderr);
  aws = await startAwsSandbox({ directory });
  const s3Endpoint = defined(aws.environment['AWS_ENDPOINT_URL_S3']);
  lake = await openLake({ s3Endpoint, bucket: BUCKET, today: TODAY });
  await makeHistoryTables(lake, BUCKET);
  // The local run has no Athena, so nothing else merges here.
  for (const sql of mailStatements(sliceOf([DAY]), `${TODAY}T23:00:00.000Z`)) await lake.run(sql);
}, 3 * LONGEST);
afterAll(async () => {
  await lake.close();
  await aws.close();
  rmSync(directory, { recursive: true, force: true });
});

it.each([
  ['invoice', 'latest_invoices', 180],
  ['refund', 'latest_refunds', 18],
] as const)('npm start wrote every %s of the service into %s', async (kind, view, count) => {
  const id = (row: Record<string, unknown>) => BigInt(String(row['id']));
  const inOrder = <T extends Record<string, unknown>>(rows: T[]) =>
    rows.toSorted((a, b) => (id(a) < id(b) ? -1 : id(a) > id(b) ? 1 : 0));
  const stored = storedRecords(join(directory, 'payments.sqlite'));
  const expected = inOrder(
    stored.filter((record) => record.kind === kind && record.day === DAY).map(expectedRow),
  );
  const names = Object.keys(defined(expected[0])).map((name) => `"${name}"`);
  const rows = await lake.query(`SELECT ${names.join(', ')} FROM ${view} WHERE day = '${DAY}'`);
  expect(rows).toHaveLength(count);
  expect(inOrder(rows)).toEqual(expected);
  const ofDay = `FROM ${view} WHERE day = '${DAY}'`;
  const [newest] = await lake.query(`SELECT min(revision) AS least, max(revision) AS most ${ofDay}`);
  expect(newest).toEqual({ least: '2', most: '2' });
});

/** Queries that list what is wrong. Nothing is wrong after `npm start`, no link has ended, and it has no function `lake`. */
const NOTHING_TO_LIST = [
  'unbalanced-days',
  'statements-against-days',
  'perhaps-paid-twice',
  'expired-unpaid',
  'merchants-without-a-page',
];

it.each(NAMED_QUERIES.map(({ name, sql }) => [name, sql]))(
  'the query %s runs over the files of npm start',
  async (name, sql) => {
    const rows = await lake.query(sql);
    if (NOTHING_TO_LIST.includes(name)) expect(rows).toEqual([]);
    else expect(rows.length).toBeGreaterThan(0);
  },
);
