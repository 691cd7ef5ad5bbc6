import { NOW, later, startLakeDays } from '#support/lake/lake-days.ts';
import { writes, expectAllIsLatest, expectHistoryIsLatest } from '#support/lake/running-lake.ts';

const world = await startLakeDays();
const { lake, keeper } = world;
afterAll(() => world.close());

const merged = (statements: readonly string[]) => statements.some((sql) => sql.startsWith('MERGE'));
// The moment before a statement is the moment after the one before it.
const steps: Record<string, (ended: string, statements: readonly string[]) => boolean> = {
  'between two views': (ended) => /VIEW all_refunds/.test(ended),
  'after the invoices of a slice': (ended) => /^MERGE INTO invoices_history/.test(ended),
  'after the days of a slice': (ended) => /^MERGE INTO days_history/.test(ended),
  'after the note of the mail': (ended) => /^INSERT INTO history_merges .*\n.* 'mail',/.test(ended),
  'between two views of the second look': (ended, statements) =>
    /VIEW all_days/.test(ended) && merged(statements),
  "after the rows of a group's copy": (ended) => /^MERGE INTO daybook_dev_north.invoices/.test(ended),
};

it('an invocation that dies leaves right views after any of its statements', async () => {
  await world.emptyHistory();
  for (const [step, isIt] of Object.entries(steps)) {
    let died = false;
    await keeper.run(
      NOW,
      {},
      {
        between: (ended, statements) => {
          if (!isIt(ended, statements)) return;
          died = true;
          throw new Error('died');
        },
      },
    );
    expect(died, step).toBe(true);
    await expectAllIsLatest(lake, ['all_refunds', 'all_days']);
    if (step === 'after the note of the mail') await expectAllIsLatest(lake);
  }
  const last = await keeper.run(later(5));
  expect(last).toMatchObject({ error: undefined, counted: { HistoryMerged: 1 } });
  await expectHistoryIsLatest(lake);
  await expectAllIsLatest(lake);
});

it('two invocations at once, and a statement that is refused twice, give the same history and copies', async () => {
  await world.emptyHistory();
  keeper.athena.faults.add({
    service: 'athena',
    operation: 'StartQueryExecution',
    key: /^MERGE INTO refunds_history/,
    action: { kind: 'error', status: 400, code: 'TooManyRequestsException', message: 'Rate exceeded' },
    times: 2,
  });
  const both = await Promise.all([keeper.run(NOW), keeper.run(later(1))]);
  for (const { error } of both) expect(error).toBeUndefined();
  const merges = both.flatMap(writes).filter((text) => text.startsWith('MERGE INTO refunds_history'));
  // There are two slices.
  expect(merges.length).toBeGreaterThanOrEqual(2);
  await expectHistoryIsLatest(lake);
  const pagesOf = (table: string) =>
    lake.query(
      `SELECT day, revision, count(*) AS n FROM ${table} WHERE merchant_code = '700001' GROUP BY 1, 2 ORDER BY 1`,
    );
  expect(await pagesOf('daybook_dev_north.invoices')).toEqual(await pagesOf('invoices_history'));
  await expectAllIsLatest(lake);
});
