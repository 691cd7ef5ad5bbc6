import { HAS_COLUMNS } from '#lake/upgrade.ts';
import { beginStatement } from '#lake/sql/statements/views.ts';
import { DAYS, NOW, later, sealedAt, startLakeDays } from '#support/lake/lake-days.ts';
import {
  replaced,
  writes,
  type Invocation,
  expectAllIsLatest,
  expectHistoryIsLatest,
} from '#support/lake/running-lake.ts';

const ONLY_LOOK = { merge: false };

const world = await startLakeDays();
const { lake, keeper, pages } = world;
afterAll(() => world.close());

describe('the first look after the time of the merge', () => {
  let invocation: Invocation;
  beforeAll(async () => {
    invocation = await keeper.run(NOW);
  });

  it('merges every day that is over, points the views at them, and is counted', async () => {
    expect(invocation.error).toBeUndefined();
    expect(invocation.answer).toEqual({
      ...{ finished: true, slices: 4, daysWaiting: 0, mailWaiting: 0, brokenRules: [] },
      // Five of the history, and three of the group.
      tables: 8,
    });
    await expectHistoryIsLatest(lake);
    await expectAllIsLatest(lake);
    expect(await world.state()).toMatchObject({
      complete_from: DAYS[0],
      complete_to: DAYS.at(-1),
      days_waiting: '0',
    });
    expect(invocation.counted).toEqual({ HistoryMerged: 1, FilesNotJoined: 0, RulesBroken: 0 });
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

  it('is the only one of its day that merges: later ones take corrected days out of the views', async () => {
    const corrected = await pages.seal(0, '2026-11-18', { at: sealedAt(60) });
    await pages.send(corrected, sealedAt(61), ['accepted']);
    const looked = await keeper.run(later(70));
    expect(looked.answer).toMatchObject({ finished: true, slices: 0, tables: 0, daysWaiting: 1 });
    expect(writes(looked)).toEqual([]);
    await expectAllIsLatest(lake, ['all_refunds', 'all_days']);
    const merged = await keeper.run(later(24 * 60));
    expect(merged.error).toBeUndefined();
    expect(merged.counted['HistoryMerged']).toBe(1);
    await expectHistoryIsLatest(lake);
    await expectAllIsLatest(lake);
  });

  it('gives tables of an earlier version the columns that they lack, and merges all days again', async () => {
    const columns = { invoices: 'charge_of_paid', refunds: 'read_at', days: 'net' };
    for (const [table, column] of Object.entries(columns)) {
      await lake.run(`ALTER TABLE iceberg.daybook_dev.${table}_history DROP COLUMN ${column}`);
      await lake.run(`ALTER TABLE iceberg.daybook_dev_north.${table} DROP COLUMN ${column}`);
    }
    // The copy has a column that its people may not see any more.
    await lake.run('ALTER TABLE iceberg.daybook_dev_north.refunds ADD COLUMN document_number varchar');
    await lake.run(`DELETE FROM history_merges WHERE what = '${HAS_COLUMNS}'`);
    const looked = await keeper.run(later(24 * 60 + 30), { merge: false });
    expect(looked.error).toBeUndefined();
    await expectAllIsLatest(lake);
    const upgraded = await keeper.run(later(24 * 60 + 40));
    expect(upgraded.answer).toMatchObject({ finished: true, daysWaiting: 0 });
    await expectHistoryIsLatest(lake);
    await expectAllIsLatest(lake);
    for (const [table, column] of Object.entries(columns)) {
      const sums = (from: string) =>
        lake.query(
          `SELECT count(*) AS n, count("${column}") AS filled FROM ${from} WHERE merchant_code = '700001'`,
        );
      expect(await sums(`daybook_dev_north.${table}`)).toEqual(await sums(`${table}_history`));
    }
    const shown = await lake.trino.columns('SELECT * FROM daybook_dev_north.refunds');
    expect(shown.map(([name]) => name)).not.toContain('document_number');
  });

  it('writes nothing when nothing has changed', async () => {
    const again = await keeper.run(later(24 * 60 + 60));
    expect(again.error).toBeUndefined();
    expect(writes(again)).toEqual([]);
    const asked = await keeper.run(later(24 * 60 + 70), { merge: true });
    expect(asked.counted['HistoryMerged']).toBe(1);
    expect(writes(asked)).toEqual([]);
  });
});

describe('a look', () => {
  const HOUR = 60;
  const after = (minutes: number) => later(26 * HOUR + minutes);
  const sealedAfter = (minutes: number) => sealedAt(26 * HOUR + minutes);

  it('that finds what the views say replaces none of them, and says when it looked', async () => {
    const before = await world.state();
    const same = await keeper.run(after(0), ONLY_LOOK);
    expect(same.error).toBeUndefined();
    expect(replaced(same)).toEqual(['history_state']);
    expect(await world.state()).toEqual({
      ...before,
      looked_at: '2026-11-24 10:40:00.000',
      settled_at: '2026-11-24 10:40:00.000',
    });
    expect(before['looked_at']).toBe('2026-11-24 09:50:00.000');
  });

  it('replaces all of them after an invocation that died between two views', async () => {
    await pages.seal(0, '2026-11-19', { at: sealedAfter(60) });
    const away = await keeper.run(after(70), ONLY_LOOK);
    expect(replaced(away)).toHaveLength(7);
    const { merged_days: withoutIt } = await world.state();
    const died = await keeper.run(
      after(100),
      { merge: true },
      {
        between: (ended) => {
          if (/VIEW all_invoices_with_customers/.test(ended)) throw new Error('died');
        },
      },
    );
    expect(died.error).toMatchObject({ name: 'UnexpectedError' });
    // Some views have the day in the history now, and the others do not. Then it changes again.
    await pages.seal(0, '2026-11-19', { at: sealedAfter(200) });
    const repaired = await keeper.run(after(210), ONLY_LOOK);
    // What it finds is what `history_state` said before the death.
    expect(await world.state()).toMatchObject({ merged_days: withoutIt });
    expect(new Set(replaced(repaired)).size).toBe(7);
    await expectAllIsLatest(lake);
    // A look cannot know that the other one is dead. So it leaves its views to the next.
    expect(replaced(await keeper.run(after(270), ONLY_LOOK))).toHaveLength(7);
    expect(replaced(await keeper.run(after(275), ONLY_LOOK))).toEqual(['history_state']);
  });

  it('that meets another one leaves the views to the next', async () => {
    await pages.seal(0, '2026-11-20', { at: sealedAfter(280) });
    const met = await keeper.run(after(290), ONLY_LOOK, {
      between: async (ended, { length }) => {
        // Another look begins after this one. Its views are not known.
        if (/VIEW history_views/.test(ended) && length < 10)
          await lake.run(beginStatement({ pointed_by: 'another' }));
      },
    });
    expect(met.error).toBeUndefined();
    expect(replaced(await keeper.run(after(300), ONLY_LOOK))).toHaveLength(7);
    expect(replaced(await keeper.run(after(310), ONLY_LOOK))).toEqual(['history_state']);
  });

  it('that begins while another one replaces the views leaves them to the next', async () => {
    // The other one may write an older condition into a view after this look has written it, and die then.
    await lake.run(beginStatement({ pointed_by: 'another' }));
    // The first writes `history_views` twice.
    for (const expected of [8, 7, 1]) {
      expect(replaced(await keeper.run(after(320), ONLY_LOOK))).toHaveLength(expected);
    }
  });
});

it('an event with days merges these days, whatever was merged before, and up to yesterday without a last day', async () => {
  await world.emptyHistory();
  const first = await keeper.run(NOW, { from: '2026-11-18', to: '2026-11-19' });
  expect(first.error).toBeUndefined();
  await expectAllIsLatest(lake, ['all_refunds', 'all_days']);
  // Somebody has broken the history.
  await lake.run("DELETE FROM refunds_history WHERE business_date = DATE '2026-11-19'");
  const { answer } = await keeper.run(later(50), { check: true });
  expect(answer?.brokenRules?.map(({ rule }) => rule)).toEqual(['rows-of-refunds', 'sums-of-refunds']);
  expect(answer?.brokenRules?.[0]).toMatchObject({ first: '2026-11-19 700001' });
  await lake.run("DELETE FROM days_history WHERE business_date = DATE '2026-11-19'");
  const again = await keeper.run(later(60), { from: '2026-11-19' });
  expect(again).toMatchObject({ error: undefined, answer: { finished: true, brokenRules: [] } });
  expect(await world.state()).toMatchObject({ complete_to: '2026-11-22' });
  await expectAllIsLatest(lake);
});

it('an invocation whose time ends leaves the rest to the next looks, which go on until all is done', async () => {
  await world.emptyHistory();
  let invocations = 0;
  let finished = false;
  for (; !finished && invocations < 20; invocations += 1) {
    // Each has time for 28 statements: the views and one or two slices.
    const { answer, error } = await keeper.run(later(invocations * 60), {}, { statementTakes: 30_000 });
    expect(error).toBeUndefined();
    finished = answer?.finished === true;
    await expectAllIsLatest(lake, ['all_refunds', 'all_days']);
  }
  expect(finished).toBe(true);
  expect(invocations).toBeGreaterThan(3);
  await expectHistoryIsLatest(lake);
  await expectAllIsLatest(lake);
  // What is asked for by hand goes on as well.
  const asked = await keeper.run(later(30 * 60), { maintain: true }, { statementTakes: 60_000 });
  expect(asked.answer).toMatchObject({ finished: false });
  const rest = await keeper.run(later(30 * 60 + 15), { maintain: true });
  expect(rest.answer?.finished).toBe(true);
  const cleaned = [asked, rest].map(({ statements }) => statements.filter((sql) => sql.startsWith('VACUUM')));
  expect(cleaned[0]?.length).toBeGreaterThan(0);
  // No table is done twice.
  expect(new Set(cleaned.flat()).size).toBe(8);
  expect(cleaned.flat()).toHaveLength(8);
});
