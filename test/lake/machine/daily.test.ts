import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginStatement } from '#lib/lake/history/statements/views.ts';
import type { LakeExecution } from '#sandbox/step-functions/run-lake-machine.ts';
import type { HistoryLake } from '#support/lake/history-lake.ts';
import { DAYS, NOW, later, replaced, sealedAt, startLakeDays, writes } from '#support/lake/lake-days.ts';
import type { LakeDays } from '#support/lake/lake-days.ts';
import type { RunningLakeMachine } from '#support/lake/lake-machine.ts';
import type { LakePages } from '#support/lake/lake-pages.ts';
import { expectAllIsLatest, expectHistoryIsLatest } from '#support/lake/same-rows.ts';

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

describe('a daily execution', () => {
  let execution: LakeExecution;
  beforeAll(async () => {
    execution = await machine.run(NOW);
  });

  it('merges every day that is over, points the views at them, and is counted', async () => {
    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    await expectHistoryIsLatest(lake);
    await expectAllIsLatest(lake);
    expect(await world.state()).toMatchObject({
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
    const corrected = await pages.seal(0, '2026-11-18', { at: sealedAt(60) });
    await pages.send(corrected, sealedAt(61), ['accepted']);
    // Between the seal and the next look the views still show the revision before.
    const looked = await machine.run(later(70), { merge: false });
    expect(looked.status).toBe('SUCCEEDED');
    expect(writes(looked)).toEqual([]);
    expect(await world.state()).toMatchObject({ days_waiting: '1' });
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
    const before = await world.state();
    const same = await machine.run(later(26 * 60), { merge: false });
    expect(same).toMatchObject({ status: 'SUCCEEDED' });
    expect(replaced(same)).toEqual(['history_state']);
    expect(await world.state()).toEqual({
      ...before,
      looked_at: '2026-11-24 10:40:00.000',
      settled_at: '2026-11-24 10:40:00.000',
    });
    expect(before['looked_at']).toBe('2026-11-24 09:40:00.000');
  });

  it('replaces all of them after an execution that died between two views', async () => {
    await pages.seal(0, '2026-11-19', { at: sealedAt(60) });
    const away = await machine.run(later(70), { merge: false });
    expect(replaced(away)).toHaveLength(7);
    const { merged_days: withoutIt } = await world.state();
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
    await pages.seal(0, '2026-11-19', { at: sealedAt(200) });
    const repaired = await machine.run(later(210), { merge: false });
    // What it finds is what `history_state` said before the death.
    expect(await world.state()).toMatchObject({ merged_days: withoutIt });
    expect(new Set(replaced(repaired)).size).toBe(7);
    await expectAllIsLatest(lake);
    // A look cannot know that the other one is dead. So it leaves its views to the next.
    expect(replaced(await machine.run(later(270), { merge: false }))).toHaveLength(7);
    expect(replaced(await machine.run(later(275), { merge: false }))).toEqual(['history_state']);
  });

  it('that meets another one leaves the views to the next', async () => {
    await pages.seal(0, '2026-11-20', { at: sealedAt(280) });
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
    await world.emptyHistory();
    const first = await machine.run(NOW, { from: '2026-11-18', to: '2026-11-19' });
    expect(first).toMatchObject({ status: 'SUCCEEDED', metrics: [] });
    await expectAllIsLatest(lake, ['all_refunds', 'all_days']);
    // Somebody has broken the history.
    await lake.run("DELETE FROM days_history WHERE business_date = DATE '2026-11-19'");
    await lake.run("DELETE FROM refunds_history WHERE business_date = DATE '2026-11-19'");
    expect(await machine.run(later(60), { from: '2026-11-19' })).toMatchObject({ status: 'SUCCEEDED' });
    expect(await world.state()).toMatchObject({ complete_to: '2026-11-22' });
    await expectAllIsLatest(lake);
  });
});
