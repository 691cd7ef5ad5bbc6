import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifestKey } from '#records/storage/keys.ts';
import { defined } from '#support/assertions/defined.ts';
import { BUCKET } from '#support/lake/history-lake.ts';
import type { HistoryLake } from '#support/lake/history-lake.ts';
import { NOW, later, sealedAt, startLakeDays, writes } from '#support/lake/lake-days.ts';
import type { LakeDays } from '#support/lake/lake-days.ts';
import type { RunningLakeMachine } from '#support/lake/lake-machine.ts';
import type { LakePages } from '#support/lake/lake-pages.ts';
import { expectAllIsLatest, expectHistoryIsLatest } from '#support/lake/same-rows.ts';
import type { Page } from '#support/pages/generated-lake.ts';

let world: LakeDays;
let lake: HistoryLake;
let machine: RunningLakeMachine;
let pages: LakePages;

beforeAll(async () => {
  world = await startLakeDays();
  ({ lake, machine, pages } = world);
});
afterAll(async () => {
  await machine.close();
});

describe('an execution that dies', () => {
  // The moment before a statement is the moment after the one before it.
  const steps = [
    'Point all_refunds',
    'Merge the invoices of the slice',
    'Merge the days of the slice',
    'Note that the mail is merged',
    'Point all_days again',
  ];

  it('leaves right views after any of its statements', async () => {
    await world.emptyHistory();
    for (const step of steps) {
      const stopped = new AbortController();
      const watch = (when: string, stateName: string) => {
        if (when === 'after' && stateName === step) stopped.abort();
      };
      const died = await machine.run(NOW, {}, { signal: stopped.signal, watch });
      expect(died.status, step).toBe('ABORTED');
      await expectAllIsLatest(lake, ['all_refunds', 'all_days']);
      if (step === 'Note that the mail is merged') await expectAllIsLatest(lake);
    }
    expect(await machine.run(later(5))).toMatchObject({ status: 'SUCCEEDED' });
    await expectHistoryIsLatest(lake);
    await expectAllIsLatest(lake);
  });
});

it('two executions at once, and a statement that fails twice, give the same history', async () => {
  await world.emptyHistory();
  // As after a lost commit. A statement that fails is tried again.
  machine.athena.faults.add({
    service: 'athena',
    operation: 'StartQueryExecution',
    key: /^MERGE INTO refunds_history/,
    action: { kind: 'error', status: 400, code: 'TooManyRequestsException', message: 'Rate exceeded' },
    times: 2,
  });
  const both = await Promise.all([machine.run(NOW), machine.run(later(1))]);
  for (const execution of both) expect(execution).toMatchObject({ status: 'SUCCEEDED' });
  const tries = both.flatMap(writes).filter((name) => name === 'Merge the refunds of the slice');
  // There are two slices.
  expect(tries.length).toBeGreaterThanOrEqual(4);
  await expectHistoryIsLatest(lake);
  await expectAllIsLatest(lake);
});

describe('a statement that fails', () => {
  it('fails the execution with its state and the reason, and the views stay right', async () => {
    await pages.seal(0, '2026-11-19', { at: sealedAt(10) });
    await lake.run('ALTER TABLE days_history RENAME COLUMN digest TO renamed');
    try {
      const execution = await machine.run(later(20));
      expect(execution).toMatchObject({ status: 'FAILED', error: 'StatementFailed' });
      expect(execution.cause).toMatch(/^[A-Z]\w+[\w ]*: [A-Z_]+: /);
      expect(execution.metrics).toEqual([]);
    } finally {
      await lake.run('ALTER TABLE days_history RENAME COLUMN renamed TO digest');
    }
    expect(await machine.run(later(25))).toMatchObject({ status: 'SUCCEEDED' });
    await expectAllIsLatest(lake);
  });
});

it('a day that cannot be merged fails a daily execution after a day, and the views stay right', async () => {
  const { day, merchantCode, revision } = await pages.seal(1, '2026-11-20', { at: later(40) });
  const key = manifestKey(day, merchantCode, revision);
  const manifest = defined(await lake.aws.s3.read(BUCKET, key)).toString();
  // The manifest names a row more than each file has.
  await lake.put(
    key,
    manifest.replaceAll(/"rows":(\d+)/g, (_, rows: string) => `"rows":${Number(rows) + 1}`),
  );
  try {
    const execution = await machine.run(later(26 * 60 + 40));
    expect(execution).toMatchObject({ status: 'FAILED', error: 'HistoryIsBehind', metrics: [] });
    expect(execution.cause).toMatch(/^1 days wait to be merged; the first has waited since 2026-11-2/);
    expect(await world.state()).toMatchObject({ days_waiting: '1' });
    await expectAllIsLatest(lake);
    // Only a daily execution can fail with HistoryIsBehind.
    expect(await machine.run(later(26 * 60 + 45), { merge: false })).toMatchObject({ status: 'SUCCEEDED' });
  } finally {
    await lake.put(key, manifest);
  }
  expect(await machine.run(later(26 * 60 + 50))).toMatchObject({ status: 'SUCCEEDED' });
  await expectAllIsLatest(lake);
});

describe('a file with a line that is no record', () => {
  it('stops its own day only', async () => {
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
      const first = await machine.run(later(31 * 60));
      expect(first).toMatchObject({ status: 'FAILED', error: 'StatementFailed', metrics: [] });
      expect(first.cause).toMatch(
        /^1 of 2 slices could not be merged\. The first: Merge the invoices of the slice: .*a line is no record/,
      );
      // The mail of the good page, the look after the merges and the copies of the groups came all the same.
      expect(first.statements.map(({ stateName }) => stateName)).toEqual(
        expect.arrayContaining(['Note that the mail is merged', 'Look again', 'Look at the copy of north']),
      );
      expect(await world.state()).toMatchObject({ days_waiting: '2', mail_waiting: '0' });
      // From now on, each day of the slice is a slice.
      const second = await machine.run(later(32 * 60));
      expect(second.cause).toMatch(/^1 of 2 slices/);
      expect(await isMerged(good)).toBe(true);
      expect(await isMerged(bad)).toBe(false);
      expect(await world.state()).toMatchObject({ days_waiting: '1' });
    } finally {
      await lake.put(key, file);
    }
    expect(await machine.run(later(33 * 60))).toMatchObject({ status: 'SUCCEEDED' });
    expect(await isMerged(bad)).toBe(true);
    await expectHistoryIsLatest(lake);
    await expectAllIsLatest(lake);
  });
});

it('maintenance deletes old days, and the views stay right', async () => {
  const execution = await machine.run(later(34 * 60), { maintain: true });
  expect(execution.cause).toBeUndefined();
  expect(execution).toMatchObject({ status: 'SUCCEEDED' });
  expect(execution.statements.map(({ sql }) => sql)).toEqual(
    expect.arrayContaining(['VACUUM mail_history', 'OPTIMIZE invoices_history REWRITE DATA USING BIN_PACK']),
  );
  await expectHistoryIsLatest(lake);
  await expectAllIsLatest(lake);
});

it('off makes the views read the JSON files', async () => {
  expect(await machine.run(later(35 * 60), { off: true })).toMatchObject({ status: 'SUCCEEDED' });
  expect(await world.state()).toMatchObject({ looked_at: null, complete_to: null });
  await lake.run('DELETE FROM invoices_history');
  await expectAllIsLatest(lake);
});
