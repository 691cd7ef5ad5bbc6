import { afterAll, expect, it } from 'vitest';
import { ALL_VIEWS } from '#lake/sql/views/all.ts';
import { viewWithoutHistory } from '#lake/sql/statements/views.ts';
import { HistoryLake, daysStatements, mailStatements, slicesOf } from '#support/lake/history-lake.ts';
import { LakePages } from '#support/lake/lake-pages.ts';
import { expectAllIsLatest } from '#support/lake/same-rows.ts';

const DAYS = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'];
const AT = '2026-11-03T03:00:00Z';
/** What every merge of days changes. */
const OF_DAYS = ['all_invoices_with_customers', 'all_days'];

const lake = await HistoryLake.start({ today: '2026-11-03', firstDay: '2026-10-25' });
const pages = new LakePages(lake.put);
for (const day of DAYS) {
  for (const merchant of [0, 1]) {
    await pages.send(await pages.seal(merchant, day, { at: AT }), AT, ['delivered']);
  }
}
afterAll(() => lake.close());

/** Which of the JSON files of invoices are opened for a question. */
async function opened(sql: string): Promise<string[]> {
  const before = lake.aws.requests.length;
  await lake.query(sql);
  const keys = lake.aws.requests
    .slice(before)
    .filter(({ operation }) => operation === 'GetObject')
    .map(({ key = '' }) => key);
  return [...new Set(keys.filter((key) => key.startsWith('invoices/json/')))].map(
    (key) => /day=([^/]+)/.exec(key)?.[1] ?? '',
  );
}

it('as they are deployed, the views read the JSON files', async () => {
  await expectAllIsLatest(lake);
});

it('the views are correct before, between and after the statements of a merge', async () => {
  const found = await lake.look('2026-11-03T10:00:00Z');
  await lake.show(found);
  for (const { what, ...slice } of slicesOf(found)) {
    const statements = what === 'days' ? daysStatements : mailStatements;
    for (const statement of statements(slice, '2026-11-03T10:00:00Z')) {
      await lake.run(statement);
      await expectAllIsLatest(lake, what === 'days' ? OF_DAYS : ['all_mail']);
    }
  }
  await lake.show(await lake.look('2026-11-03T10:01:00Z'));
  await expectAllIsLatest(lake);
  expect(await opened("SELECT * FROM all_invoices WHERE day >= '2026-10-01'")).toEqual([]);
});

it('a day that changes after its merge is read from the JSON files from the next look on', async () => {
  // The marker is there before the merge, and the seal comes after it, in the same run of a function.
  await pages.seal(0, '2026-10-31', { at: '2026-11-03T09:50:00Z' });
  await lake.show(await lake.look('2026-11-03T11:00:00Z'));
  expect(await lake.query('SELECT merged_days FROM history_state')).toEqual([
    { merged_days: '2026-11-01 to 2026-11-02, 2026-10-30 to 2026-10-30' },
  ]);
  await expectAllIsLatest(lake);
  expect(new Set(await opened('SELECT * FROM all_invoices'))).toEqual(new Set(['2026-10-31']));
  // The next run merges it.
  await lake.merge('2026-11-03T12:00:00Z');
  await expectAllIsLatest(lake);
  expect(await opened('SELECT * FROM all_invoices')).toEqual([]);
});

it('most analysts see no column with the data of a person', async () => {
  const columns = async (view: string) =>
    (await lake.trino.columns(`SELECT * FROM ${view}`)).map(([name]) => name);
  const invoices = await columns('all_invoices');
  const withCustomers = await columns('all_invoices_with_customers');
  expect(withCustomers.filter((name) => !invoices.includes(name))).toEqual([
    'token',
    'access_key',
    'split_access_key',
    'description',
    'sms_response',
    'url',
    'spliturl',
    'customer_name',
    'customer_email',
    'customer_phone_number',
    'created_by_merchant_name',
    'products',
  ]);
  const refunds = await columns('all_refunds');
  const latest = await columns('latest_refunds');
  expect(latest.filter((name) => !refunds.includes(name))).toEqual([
    'token',
    'remarks',
    'approved_by',
    'transaction_token',
  ]);
});

it('turned off, the views read the JSON files again', async () => {
  for (const view of ALL_VIEWS) await lake.run(viewWithoutHistory(view));
  await expectAllIsLatest(lake, OF_DAYS);
  expect(new Set(await opened('SELECT * FROM all_invoices'))).toEqual(new Set(DAYS));
});
