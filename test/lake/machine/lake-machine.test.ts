import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LakeExecution } from '#sandbox/step-functions/run-lake-machine.ts';
import type { LakeGroup } from '#lib/lake/groups/index.ts';
import { beginStatement } from '#lib/lake/history/statements/begin-views.ts';
import { manifestKey } from '#domain/storage/keys.ts';
import { defined } from '#support/assertions/defined.ts';
import { BUCKET, HistoryLake } from '#support/lake/history-lake.ts';
import { RunningLakeMachine } from '#support/lake/lake-machine.ts';
import { LakePages } from '#support/lake/lake-pages.ts';
import type { Page } from '#support/pages/generated-lake.ts';
import { expectAllIsLatest, expectHistoryIsLatest } from '#support/lake/same-rows.ts';

const TODAY = '2026-11-23';
const NOW = `${TODAY}T08:40:00.000Z`;
const DAYS = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'];
const FIRST_DAY = '2026-11-01';
const MERCHANTS = [0, 1];
/** People who may see one of the merchants. */
const GROUP: LakeGroup = { name: 'north', merchants: ['700001'], personal: false };

let lake: HistoryLake;
let machine: RunningLakeMachine;
let pages: LakePages;

beforeAll(async () => {
  lake = await HistoryLake.start({ today: TODAY, firstDay: FIRST_DAY });
  machine = await RunningLakeMachine.start(lake, FIRST_DAY, [GROUP]);
  pages = new LakePages(lake.put);
  for (const day of DAYS) {
    for (const merchant of MERCHANTS) {
      const at = `${nextDay(day)}T03:10:00Z`;
      const page = await pages.seal(merchant, day, { at });
      await pages.send(page, `${nextDay(day)}T03:20:00Z`, ['accepted']);
    }
  }
});
afterAll(async () => {
  await machine.close();
});

/** Takes the views off the history, and empties it. */
async function emptyHistory(): Promise<void> {
  await machine.run(NOW, { off: true });
  for (const table of ['invoices', 'refunds', 'days', 'mail'].map((name) => `${name}_history`)) {
    await lake.run(`DELETE FROM ${table}`);
  }
  await lake.run('DELETE FROM history_merges');
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

/** A time some minutes after another. */
function later(minutes: number, from = NOW): string {
  return new Date(Date.parse(from) + minutes * 60_000).toISOString();
}

async function state(): Promise<Record<string, unknown>> {
  const [row = {}] = await lake.query('SELECT * FROM history_state');
  return row;
}

function writes({ statements }: LakeExecution): string[] {
  return statements.filter(({ sql }) => /^(MERGE|INSERT|DELETE)/.test(sql)).map(({ stateName }) => stateName);
}

/** The views that an execution replaced. */
function replaced({ statements }: LakeExecution): string[] {
  return statements.flatMap(({ sql }) => /^CREATE OR REPLACE VIEW (\w+)/.exec(sql)?.[1] ?? []);
}

describe('a daily execution', () => {
  let execution: LakeExecution;
  beforeAll(async () => {
    execution = await machine.run(NOW);
  });

  it('merges every day that is over, points the views at them, and is counted', async () => {
    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    await expectHistoryIsLatest(lake);
    await expectAllIsLatest(lake);
    expect(await state()).toMatchObject({
      complete_from: DAYS[0],
      complete_to: DAYS.at(-1),
      days_waiting: '0',
    });
    expect(execution.metrics).toEqual([
      {
        Namespace: 'Daybook/dev',
        MetricData: [
          {
            MetricName: 'HistoryMerged',
            Dimensions: [{ Name: 'service', Value: 'lake' }],
            Unit: 'Count',
            Value: 1,
          },
        ],
      },
    ]);
  });

  it("brings the groups' copies up to the history", async () => {
    const copied = await lake.query(
      'SELECT DISTINCT merchant_code, count(*) AS n FROM daybook_dev_north.invoices GROUP BY merchant_code',
    );
    const [own = {}] = await lake.query(
      "SELECT count(*) AS n FROM invoices_history WHERE merchant_code = '700001'",
    );
    expect(copied).toEqual([{ merchant_code: '700001', n: own['n'] }]);
    const pagesOf = (table: string) =>
      lake.query(
        `SELECT day, revision, paid_amount FROM ${table} WHERE merchant_code = '700001' ORDER BY day`,
      );
    expect(await pagesOf('daybook_dev_north.days')).toEqual(await pagesOf('days_history'));
  });

  it('leaves few files of a month, whatever was merged', async () => {
    const [files = {}] = await lake.query('SELECT count(*) AS n FROM "invoices_history$files"');
    // Two merchants are in two of the sixteen buckets at most, and November is one month.
    expect(Number(files['n'])).toBeLessThanOrEqual(2);
  });

  it('takes in a correction of an old day, and nothing else', async () => {
    const corrected = await pages.seal(0, '2026-11-18', { at: later(60).replace('.000', '') });
    await pages.send(corrected, later(61).replace('.000', ''), ['accepted']);
    // Between the seal and the next look the views still show the revision before.
    const looked = await machine.run(later(70), { merge: false });
    expect(looked.status).toBe('SUCCEEDED');
    expect(writes(looked)).toEqual([]);
    expect(await state()).toMatchObject({ days_waiting: '1' });
    await expectAllIsLatest(lake, ['all_refunds', 'all_days']);
    const merged = await machine.run(later(24 * 60));
    expect(merged.status).toBe('SUCCEEDED');
    await expectHistoryIsLatest(lake);
    await expectAllIsLatest(lake);
  });

  it('writes nothing when nothing has changed', async () => {
    const again = await machine.run(later(24 * 60 + 60));
    expect(again.status).toBe('SUCCEEDED');
    expect(writes(again)).toEqual([]);
  });
});

describe('a look', () => {
  it('that finds what the views say replaces none of them, and says when it looked', async () => {
    const before = await state();
    const same = await machine.run(later(26 * 60), { merge: false });
    expect(same).toMatchObject({ status: 'SUCCEEDED' });
    expect(replaced(same)).toEqual(['history_state']);
    expect(await state()).toEqual({
      ...before,
      looked_at: '2026-11-24 10:40:00.000',
      settled_at: '2026-11-24 10:40:00.000',
    });
    expect(before['looked_at']).toBe('2026-11-24 09:40:00.000');
  });

  it('replaces all of them after an execution that died between two views', async () => {
    const at = (minutes: number) => later(minutes).replace('.000', '');
    await pages.seal(0, '2026-11-19', { at: at(60) });
    const away = await machine.run(later(70), { merge: false });
    expect(replaced(away)).toHaveLength(7);
    const { merged_days: withoutIt } = await state();
    const stopped = new AbortController();
    const died = await machine.run(
      later(100),
      {},
      {
        signal: stopped.signal,
        watch: (when, stateName) => {
          if (when === 'before' && stateName === 'Point all_refunds again') stopped.abort();
        },
      },
    );
    expect(died.status).toBe('ABORTED');
    // Some views have the day in the history now, and the others do not. Then it changes again.
    await pages.seal(0, '2026-11-19', { at: at(200) });
    const repaired = await machine.run(later(210), { merge: false });
    // What it finds is what `history_state` said before the death.
    expect(await state()).toMatchObject({ merged_days: withoutIt });
    expect(new Set(replaced(repaired)).size).toBe(7);
    await expectAllIsLatest(lake);
    // A look cannot know that the other one is dead. So it leaves its views to the next.
    expect(replaced(await machine.run(later(270), { merge: false }))).toHaveLength(7);
    expect(replaced(await machine.run(later(275), { merge: false }))).toEqual(['history_state']);
  });

  it('that meets another one leaves the views to the next', async () => {
    await pages.seal(0, '2026-11-20', { at: later(280).replace('.000', '') });
    let other: Promise<void> | undefined;
    const met = await machine.run(
      later(290),
      { merge: false },
      {
        watch: (when, stateName) => {
          // Another look begins after this one. Its views are not known.
          if (when === 'after' && stateName === 'Write history_views') {
            other = lake.run(beginStatement({ pointed_by: 'another' }));
          }
        },
      },
    );
    await other;
    expect(met).toMatchObject({ status: 'SUCCEEDED' });
    expect(replaced(await machine.run(later(300), { merge: false }))).toHaveLength(7);
    expect(replaced(await machine.run(later(310), { merge: false }))).toEqual(['history_state']);
  });

  it('that begins while another one replaces the views leaves them to the next', async () => {
    // The other one may write an older condition into a view after this look has written it, and die then.
    await lake.run(beginStatement({ pointed_by: 'another' }));
    // The first writes `history_views` twice.
    for (const expected of [8, 7, 1]) {
      expect(replaced(await machine.run(later(320), { merge: false }))).toHaveLength(expected);
    }
  });
});

describe('input', () => {
  it.each([
    ['an unknown member', { maintian: true }],
    ['a wrong value', { merge: true }],
    ['a member too many', { maintain: true, off: true }],
    ['a last day without a first', { to: '2026-11-20' }],
    ['a member beside the days', { from: '2026-11-18', to: '2026-11-20', send: false }],
    ['three members', { from: '2026-11-18', a: 1, b: 2 }],
  ])('that is not known fails before any statement: %s', async (_, input) => {
    const execution = await machine.run(NOW, input);
    expect(execution).toMatchObject({ status: 'FAILED', error: 'UnknownInput' });
    expect(execution.cause).toContain('{"merge":false}');
    expect(execution.statements).toEqual([]);
  });

  it.each([
    ['days in the wrong order', { from: '2026-11-20', to: '2026-11-18' }],
    ['no day', { from: 'yesterday' }],
    ['a part of a statement', { from: "2026-11-18' OR true --", to: '2026-11-20' }],
    ['a number', { from: 20_261_118 }],
  ])('with days that are none fails before they are in a statement: %s', async (_, input) => {
    const execution = await machine.run(NOW, input);
    expect(execution).toMatchObject({ status: 'FAILED', error: 'UnknownInput' });
    expect(execution.cause).toContain('"from" and "to" must be days');
    expect(writes(execution)).toEqual([]);
    expect(execution.statements.some(({ sql }) => sql.includes('OR true --'))).toBe(false);
  });
});

describe('an execution with days', () => {
  it('merges these days, whatever was merged before, and up to yesterday without a last day', async () => {
    await emptyHistory();
    const first = await machine.run(NOW, { from: '2026-11-18', to: '2026-11-19' });
    expect(first).toMatchObject({ status: 'SUCCEEDED', metrics: [] });
    await expectAllIsLatest(lake, ['all_refunds', 'all_days']);
    // Somebody has broken the history.
    await lake.run("DELETE FROM days_history WHERE business_date = DATE '2026-11-19'");
    await lake.run("DELETE FROM refunds_history WHERE business_date = DATE '2026-11-19'");
    expect(await machine.run(later(60), { from: '2026-11-19' })).toMatchObject({ status: 'SUCCEEDED' });
    expect(await state()).toMatchObject({ complete_to: '2026-11-22' });
    await expectAllIsLatest(lake);
  });
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
    await emptyHistory();
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
  await emptyHistory();
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
    await pages.seal(0, '2026-11-19', { at: later(10).replace('.000', '') });
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
    expect(await state()).toMatchObject({ days_waiting: '1' });
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
    const at = (minutes: number) => later(minutes).replace('.000', '');
    const good = await pages.seal(0, '2026-11-18', { at: at(30 * 60) });
    const files = () => lake.aws.s3.list(BUCKET, 'invoices/json/day=2026-11-19/');
    const before = files();
    const bad = await pages.seal(1, '2026-11-19', { at: at(30 * 60) });
    await pages.send(good, at(30 * 60), ['accepted']);
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
      expect(await state()).toMatchObject({ days_waiting: '2', mail_waiting: '0' });
      // From now on, each day of the slice is a slice.
      const second = await machine.run(later(32 * 60));
      expect(second.cause).toMatch(/^1 of 2 slices/);
      expect(await isMerged(good)).toBe(true);
      expect(await isMerged(bad)).toBe(false);
      expect(await state()).toMatchObject({ days_waiting: '1' });
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
  expect(await state()).toMatchObject({ looked_at: null, complete_to: null });
  await lake.run('DELETE FROM invoices_history');
  await expectAllIsLatest(lake);
});
