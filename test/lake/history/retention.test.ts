import { deletions } from '#lake/sql/statements/retention.ts';
import { createGroupTables, groupDatabase, groupTables, mergeGroup } from '#lake/sql/groups.ts';
import {
  BUCKET,
  HistoryLake,
  daysStatements,
  inTrinosWords,
  mailStatements,
  sliceOf,
} from '#support/lake/history-lake.ts';
import { LakePages } from '#support/lake/lake-pages.ts';
import { differing, expectAllIsLatest } from '#support/lake/running-lake.ts';

/** Today is 2026-11-03. With three days for S3, the files of pulls before these dates are gone: 10-29, 10-21, 10-21. */
const RETENTION = { dataDays: 2, manifestDays: 10, ledgerDays: 10 };
const NOW = '2026-11-03T10:00:00Z';
const GROUP = { name: 'all_of_them', merchants: 'all', personal: true } as const;
/** Columns of a page. */
const PAGE = ['day', 'merchant_code', 'revision'];

/** Each page, when it was pulled, and what the bucket still has of it. */
const PAGES = [
  { day: '2026-09-28', merchant: 0, at: '2026-09-29T03:00:00Z', left: 'nothing' },
  // A backfilled day: it was older than `dataDays` when it was pulled.
  { day: '2026-09-29', merchant: 1, at: '2026-11-02T03:00:00Z', left: 'all' },
  { day: '2026-09-29', merchant: 0, at: '2026-09-30T03:00:00Z', left: 'nothing' },
  { day: '2026-10-27', merchant: 0, at: '2026-10-28T03:00:00Z', left: 'figures' },
  { day: '2026-11-02', merchant: 0, at: '2026-11-03T03:00:00Z', left: 'all' },
] as const;
/** 2026-09-30 has no page. */
const SLICE = sliceOf(['2026-09-28', '2026-09-29', '2026-09-30', '2026-10-27', '2026-11-02']);

let lake: HistoryLake;
let pages: LakePages;
beforeAll(async () => {
  lake = await HistoryLake.start({ today: '2026-11-03', firstDay: '2026-09-20' });
  const { database } = lake.trino;
  pages = new LakePages(lake.put);
  for (const { day, merchant, at, left } of PAGES) {
    const before = new Set(lake.aws.s3.list(BUCKET));
    await pages.send(await pages.seal(merchant, day, { at }), at, ['delivered']);
    EXPIRED.push(
      ...lake.aws.s3
        .list(BUCKET)
        .filter((key) => !before.has(key) && GONE[left].some((prefix) => key.startsWith(prefix))),
    );
  }
  await lake.runAll([...daysStatements(SLICE, NOW), ...mailStatements(SLICE, NOW)]);
  await lake.show(await lake.look(NOW));
  await lake.trino.run(`CREATE SCHEMA ${groupDatabase(database, GROUP)}`);
  await lake.runAll([
    ...createGroupTables(database, GROUP, `s3://${BUCKET}/`).map(inTrinosWords),
    ...mergeGroup(database, GROUP, { from: '2026-09-01', to: '2026-11-30' }),
  ]);
  for (const key of EXPIRED) await lake.aws.s3.remove(BUCKET, key);
});
afterAll(() => lake.close());

/** Which objects of a page the lifecycle deletes. */
const GONE = {
  all: [],
  figures: ['invoices/', 'refunds/'],
  nothing: ['invoices/', 'refunds/', 'days/', 'mail/'],
} as const;
const EXPIRED: string[] = [];

/** Days that a table has something of. */
async function daysIn(table: string): Promise<unknown[]> {
  const rows = await lake.query(`SELECT DISTINCT day FROM ${table} ORDER BY day`);
  return rows.map(({ day }) => day);
}

/** The views show all rows of the pages whose files are there. Other pages may still be in them. */
async function expectNothingIsMissing(): Promise<void> {
  for (const table of ['invoices', 'days']) {
    const missing = await differing(lake, PAGE, [
      `(SELECT a.* FROM all_${table} AS a WHERE EXISTS (
        SELECT 1 FROM latest_${table} AS l WHERE l.day = a.day AND l.merchant_code = a.merchant_code
      ))`,
      `latest_${table}`,
    ]);
    expect(missing, table).toEqual([]);
  }
}

it('a page stays as long as its files, however old its day is, and goes after them', async () => {
  const steps = deletions(RETENTION, lake.trino.database, [GROUP]);
  expect(steps).toHaveLength(8);
  for (const [index, [, sql]] of steps.entries()) {
    await lake.run(sql);
    // A run can die after any statement.
    if (index < 3) await expectNothingIsMissing();
  }
  await expectAllIsLatest(lake);
  const withRows = ['2026-09-29', '2026-11-02'];
  const withFigures = ['2026-09-29', '2026-10-27', '2026-11-02'];
  expect(await daysIn('invoices_history')).toEqual(withRows);
  expect(await daysIn('refunds_history')).toEqual(withRows);
  expect(await daysIn('days_history')).toEqual(withFigures);
  expect(await daysIn('mail_history')).toEqual(withFigures);
});

it('a copy for a group keeps the same pages', async () => {
  const copy = groupTables(lake.trino.database, GROUP);
  for (const { name, history, columns } of Object.values(copy)) {
    const names = columns.map((column) => column.name);
    expect(await differing(lake, names, [name, history.name]), name).toEqual([]);
  }
});

it('notes of merges stay from the first day on of which anything is left', async () => {
  expect(await daysIn('history_merges')).toEqual(['2026-09-29', '2026-09-30', '2026-10-27', '2026-11-02']);
  expect((await lake.look(NOW)).merged_days).toContain('2026-09-29 to 2026-09-30');
});

it('rows of a revision whose figures are not merged yet stay, and so do the figures before it', async () => {
  const table = 'invoices_history';
  await lake.run(
    `UPDATE days_history SET pulled_at = TIMESTAMP '2026-10-01 03:00:00' WHERE day = '2026-09-29'`,
  );
  await lake.run(`UPDATE ${table} SET revision = 2 WHERE day = '2026-09-29'`);
  for (const [, sql] of deletions(RETENTION, lake.trino.database, []).slice(0, 3)) await lake.run(sql);
  expect(await daysIn(table)).toContain('2026-09-29');
  expect(await daysIn('days_history')).toContain('2026-09-29');
});
