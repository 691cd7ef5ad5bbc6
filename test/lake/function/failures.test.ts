import { gzipSync } from 'node:zlib';
import { manifestKey } from '#records/storage/keys.ts';
import { defined } from '#support/assertions/index.ts';
import { BUCKET } from '#support/lake/history-lake.ts';
import { NOW, later, sealedAt, startLakeDays } from '#support/lake/lake-days.ts';
import { expectAllIsLatest, expectHistoryIsLatest } from '#support/lake/running-lake.ts';
import type { Page } from '#support/pages/generated-lake.ts';

const NOW_PLEASE = { merge: true };

const world = await startLakeDays();
const { lake, keeper, pages } = world;
afterAll(() => world.close());
await keeper.run(NOW);

describe('a statement that fails', () => {
  it('fails the invocation with what it does and the name of the reason, and the views stay right', async () => {
    await pages.seal(0, '2026-11-19', { at: sealedAt(10) });
    await lake.run('ALTER TABLE days_history RENAME COLUMN digest TO renamed');
    try {
      const { error, counted } = await keeper.run(later(20), NOW_PLEASE);
      expect(error).toMatchObject({ name: 'StatementFailedError' });
      expect(error?.message).toMatch(/^Point all_days: [A-Z_]+, see the query [\w-]{36} in Athena$/);
      expect(counted).toEqual({});
    } finally {
      await lake.run('ALTER TABLE days_history RENAME COLUMN renamed TO digest');
    }
    expect(await keeper.run(later(25), NOW_PLEASE)).toMatchObject({ error: undefined });
    await expectAllIsLatest(lake);
  });

  it('and only joins files fails nothing: copies, counts and the weekly work do not wait for it', async () => {
    await pages.seal(0, '2026-11-18', { at: sealedAt(28) });
    world.refuse(/^OPTIMIZE .* WHERE/);
    try {
      const refused = await keeper.run(later(30), NOW_PLEASE);
      expect(refused).toMatchObject({
        error: undefined,
        counted: { HistoryMerged: 1, FilesNotJoined: 4 },
      });
      const copied = 'SELECT max(revision) AS n FROM daybook_dev_north.days';
      expect(await lake.query(copied)).toEqual(
        await lake.query("SELECT max(revision) AS n FROM days_history WHERE merchant_code = '700001'"),
      );
    } finally {
      world.refuse(/^$/);
    }
  });
});

it('a day that cannot be merged fails the daily merge after a day, and the views stay right', async () => {
  const { day, merchantCode, revision } = await pages.seal(1, '2026-11-20', { at: later(40) });
  const key = manifestKey(day, merchantCode, revision);
  const manifest = defined(await lake.aws.s3.read(BUCKET, key)).toString();
  // The manifest names a row more than each file has.
  await lake.put(
    key,
    manifest.replaceAll(/"rows":(\d+)/g, (_, rows: string) => `"rows":${Number(rows) + 1}`),
  );
  try {
    const { error, counted } = await keeper.run(later(26 * 60 + 40));
    expect(error).toMatchObject({ name: 'HistoryIsBehindError' });
    expect(error?.message).toMatch(/^1 days wait to be merged; the first has waited since 2026-11-2/);
    expect(counted['HistoryMerged']).toBeUndefined();
    expect(await world.state()).toMatchObject({ days_waiting: '1' });
    await expectAllIsLatest(lake);
    // Only the daily merge can fail with it.
    expect(await keeper.run(later(26 * 60 + 45))).toMatchObject({ error: undefined });
  } finally {
    await lake.put(key, manifest);
  }
  expect(await keeper.run(later(26 * 60 + 50), NOW_PLEASE)).toMatchObject({ error: undefined });
  await expectAllIsLatest(lake);
});

it('a file with a line that is no record stops its own day only', async () => {
  const good = await pages.seal(0, '2026-11-18', { at: sealedAt(30 * 60) });
  const files = () => lake.aws.s3.list(BUCKET, 'invoices/json/day=2026-11-19/');
  const before = files();
  const bad = await pages.seal(1, '2026-11-19', { at: sealedAt(30 * 60) });
  await pages.send(good, sealedAt(30 * 60), ['accepted']);
  const key = defined(files().find((name) => !before.includes(name)));
  const file = defined(await lake.aws.s3.read(BUCKET, key));
  await lake.put(key, gzipSync('[1,2]\n'));
  const isMerged = async ({ merchantCode, day, revision }: Page) => {
    const rows = await lake.query(
      `SELECT 1 AS one FROM days_history WHERE merchant_code = '${merchantCode}' AND day = '${day}' AND revision = ${revision}`,
    );
    return rows.length === 1;
  };
  try {
    const first = await keeper.run(later(31 * 60), NOW_PLEASE);
    expect(first.error).toMatchObject({ name: 'HistoryUnfinishedError' });
    expect(first.error?.message).toMatch(
      /^failed statements: 1; the first: Merge the invoices of the slice: [A-Z_]+, see the query/,
    );
    expect(first.counted['HistoryMerged']).toBeUndefined();
    // The statement is to blame, so it is not tried again. Its query says why.
    const failed = [...keeper.athena.queries.values()].filter(({ state }) => state === 'FAILED').at(-1);
    expect(failed?.failure?.reason).toContain('a line is no record');
    // The mail of the good page, the look after the merges and the copies of the groups came all the same.
    expect(await world.state()).toMatchObject({ days_waiting: '2', mail_waiting: '0' });
    expect(first.statements.some((sql) => sql.includes('FULL OUTER JOIN daybook_dev_north.days'))).toBe(true);
    // From now on, each day of the slice is a slice.
    const second = await keeper.run(later(32 * 60), NOW_PLEASE);
    expect(second.error?.message).toMatch(/^failed statements: 1;/);
    expect(await isMerged(good)).toBe(true);
    expect(await isMerged(bad)).toBe(false);
    expect(await world.state()).toMatchObject({ days_waiting: '1' });
  } finally {
    await lake.put(key, file);
  }
  expect(await keeper.run(later(33 * 60), NOW_PLEASE)).toMatchObject({ error: undefined });
  expect(await isMerged(bad)).toBe(true);
  await expectHistoryIsLatest(lake);
  await expectAllIsLatest(lake);
});

it('maintenance deletes old days, and the views stay right', async () => {
  const { error, answer, statements } = await keeper.run(later(34 * 60), { maintain: true });
  expect(error).toBeUndefined();
  expect(answer).toMatchObject({ finished: true, tables: 8 });
  expect(statements).toEqual(
    expect.arrayContaining(['VACUUM mail_history', 'OPTIMIZE invoices_history REWRITE DATA USING BIN_PACK']),
  );
  await expectHistoryIsLatest(lake);
  await expectAllIsLatest(lake);
});

it('off makes the views read the JSON files, and maintenance leaves them so', async () => {
  expect(await keeper.run(later(35 * 60), { off: true })).toMatchObject({ error: undefined });
  expect(await world.state()).toMatchObject({ looked_at: null, complete_to: null });
  expect(await keeper.run(later(36 * 60), { maintain: true })).toMatchObject({ error: undefined });
  expect(await world.state()).toMatchObject({ looked_at: null, complete_to: null });
  await lake.run('DELETE FROM invoices_history');
  await expectAllIsLatest(lake);
});
