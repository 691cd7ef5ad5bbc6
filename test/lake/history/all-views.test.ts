import * as z from 'zod';
import { addDays } from '#records/day/business-day.ts';
import { paymentDay } from '#records/figures/outcome-tally.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { REGISTERED_MERCHANTS, manifestKey } from '#records/storage/keys.ts';
import { defined } from '#support/assertions/index.ts';
import { expectedFigures } from '#support/lake/expected.ts';
import { HistoryLake, daysStatements, mailStatements, slicesOf } from '#support/lake/history-lake.ts';
import { manifestOf } from '#support/pages/generated-lake.ts';
import { keysOpened, asText, expectAllIsLatest } from '#support/lake/running-lake.ts';
import { LakePages } from '#support/lake/lake-pages.ts';

const DAYS = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'];
const AT = '2026-11-03T03:00:00Z';
/** What every merge of days changes. */
const OF_DAYS = ['all_invoices_with_customers', 'all_days'];

const lake = await HistoryLake.start({ today: '2026-11-03', firstDay: '2026-10-01' });
const pages = new LakePages(lake.put);
for (const day of DAYS) {
  for (const merchant of [0, 1]) {
    await pages.send(await pages.seal(merchant, day, { at: AT }), AT, ['delivered']);
  }
}
/** What `transaction.paid_on` says: forms that are read, that mean two days, and that mean none. */
const PAID_ON = [
  '2026-10-30 10:15:00',
  '2026-10-31',
  '2026-10-31T23:30:00Z',
  '2026-10-31 23:30:00.1234+0300',
  '2026-10-31T23:30-05:00',
  '2026/11/1 9:05',
  '2026.11.02 25:61',
  '30-10-2026',
  '10/30/2026 07:00:00',
  '1.11.2026',
  '11/01/2026',
  '11/11/2026',
  '2026-10-29',
  '2026-11-04',
  '2026-02-31',
  '2026-10/31',
  '1793356200',
  '1793356200123',
  ' 2026-10-30 ',
  'yesterday',
  '',
  "2026-10-30 ' OR 1 = 1",
  `2026-10-30 ${'0'.repeat(40)}`,
];
const THIRD = '700003';
const OF_THIRD = {
  merchantCode: THIRD,
  name: `"Noor's"\u2028 ('x'), ; -- \n نور`,
  timeZone: 'Asia/Kuwait',
  currency: 'KWD',
  invoiceStatuses: { 0: 'not_paid', 1: 'paid' },
  refundStatuses: { 1: 'approved' },
  charges: ['admin_charge'],
  groups: ['north', 'all'],
  since: '2026-11-01T00:00:00.000Z',
  until: null,
};
const BEFORE = {
  ...OF_THIRD,
  name: 'Noor',
  currency: 'USD',
  since: '2026-10-01T00:00:00Z',
  until: OF_THIRD.since,
};
/** Pages of days that nobody merges, each with a doubt about its figures. */
function doubtfulPages(): Manifest[] {
  const records = { invoices: [], refunds: [] };
  const page = manifestOf({ merchantCode: THIRD, day: '2026-10-25', revision: 1, pulledAt: AT }, records);
  const charge = (total: string | null) => [{ column: 'admin_charge' as const, total }];
  const part = { count: 2, sum: '20.000' };
  const received = { ...defined(page.received), ...part, ofEarlier: part, charges: charge('0.450') };
  const outcomes = {
    ...defined(page.outcomes),
    open: [
      { lastDay: '2026-11-02', count: 1, amount: '1.500' },
      { lastDay: '2026-11-03', count: 2, amount: '2.250' },
      { lastDay: null, count: 3, amount: '4.125' },
    ],
  };
  const approved = { count: 1, total: '2.000' };
  const refunds = {
    ...page.refunds,
    count: 2,
    total: '5.000',
    byStatus: { approved, other: { count: 1, total: '3.000' } },
  };
  const sealed = {
    currency: 'KWD',
    timeZone: 'Asia/Kuwait',
    charges: charge(null).map(({ column }) => column),
  };
  const issued = { ...defined(page.issued), count: 6, sum: '7.875' };
  const known = { ...page, ...sealed, received, outcomes, issued, refunds };
  const notListed = { ...page.drift.notListed, refundStatuses: 1 };
  const withoutDay = (status: string) => ({
    ...page.drift.refundsWithoutDay,
    byStatus: { [status]: approved },
  });
  const unnamed = { ...page.drift, unknownInvoiceStatuses: { 9: 1 } };
  const notCompared = [{ name: 'statsPaid', what: 'paid', service: null, rows: 2 }];
  const doubts: Partial<Manifest>[] = [
    {},
    { charges: [] },
    { balanced: false },
    { drift: { ...page.drift, unknownRefundStatuses: { 7: 1 } } },
    { drift: { ...page.drift, notListed } },
    { drift: { ...page.drift, notListed }, refunds: { ...refunds, count: 0, total: '0.000', byStatus: {} } },
    { refunds: { ...refunds, byStatus: { pending: approved } } },
    { drift: { ...page.drift, refundsWithoutDay: withoutDay('approved') } },
    { drift: { ...page.drift, refundsWithoutDay: withoutDay('pending') } },
    { drift: unnamed },
    { drift: unnamed, notCompared },
    { received: { ...received, charges: charge(null) } },
    { received: null, outcomes: null, issued: null, open: null },
    { received: null, outcomes: null, issued: null, open: null, amounts: null },
  ];
  return doubts.map((doubt, index) => ({ ...known, ...doubt, day: addDays('2026-10-01', index) }));
}
const DOUBTFUL = doubtfulPages();
await lake.put(REGISTERED_MERCHANTS, [BEFORE, OF_THIRD].map((row) => `${JSON.stringify(row)}\n`).join(''));
await pages.seal(2, '2026-10-30', {
  at: AT,
  size: { invoices: PAID_ON.length, refunds: 3 },
  change: ({ invoices }) => {
    for (const [index, invoice] of invoices.entries()) {
      const { transaction } = z.object({ transaction: z.looseObject({}) }).parse(invoice);
      Object.assign(invoice, { id: index, invoice_status: index === 0 ? 3 : 1 });
      Object.assign(invoice, { transaction: { ...transaction, paid_on: PAID_ON[index] } });
    }
  },
});
afterAll(() => lake.close());

/** The days whose JSON files of invoices are opened for a question. */
async function opened(sql: string): Promise<string[]> {
  const keys = await keysOpened(lake, ['invoices/json/'], () => lake.query(sql));
  return keys.map((key) => /day=([^/]+)/.exec(key)?.[1] ?? '');
}

it('as they are deployed, the views read the JSON files', async () => {
  await expectAllIsLatest(lake);
});

it('a payment counts on the day on which the figures count it', async () => {
  const rows = await lake.query(
    `SELECT id, state, received_date, paid_at FROM latest_invoices WHERE merchant_code = '${THIRD}' ORDER BY id`,
  );
  const bounds = { timeZone: OF_THIRD.timeZone, from: '2026-10-30', until: '2026-11-03' };
  for (const [index, said] of PAID_ON.entries()) {
    const row = defined(rows[index]);
    if (index === 0) {
      expect(row, said).toMatchObject({ state: 'other', received_date: null, paid_at: null });
      continue;
    }
    const day = paymentDay({ transaction: { paid_on: said } }, bounds);
    expect(row, said).toMatchObject({ state: 'paid', received_date: day ?? bounds.from });
    expect(row['paid_at'] === null ? null : asText(row['paid_at']).slice(0, 10), said).toBe(day);
  }
  const times = new Map(rows.map((row, index) => [PAID_ON[index], row['paid_at']]));
  expect(times.get('2026-10-31T23:30:00Z')).toBe('2026-11-01 02:30:00.000');
  expect(times.get('10/30/2026 07:00:00')).toBe('2026-10-30 07:00:00.000');
  expect(times.get('2026-10-31')).toBe('2026-10-31 00:00:00.000');
});

it('what a page does not know is null in its figures', async () => {
  for (const [index, page] of DOUBTFUL.entries()) {
    await lake.put(manifestKey(page.day, THIRD, 1), JSON.stringify(page));
    const [row] = await lake.query(`SELECT * FROM latest_days WHERE day = '${page.day}'`);
    expect(row, String(index)).toMatchObject(expectedFigures(page));
  }
});

it('pages of earlier versions have the words of the registry, which stay text', async () => {
  const words = { currency: 'KWD', merchant_name: OF_THIRD.name, words_from: 'registry' };
  for (const view of ['latest_days', 'latest_invoices', 'latest_refunds']) {
    const [row] = await lake.query(
      `SELECT * FROM ${view} WHERE merchant_code = '${THIRD}' AND day = '2026-10-30' LIMIT 1`,
    );
    expect(row, view).toMatchObject(words);
    const [unknown] = await lake.query(`SELECT * FROM ${view} WHERE merchant_code = '700001' LIMIT 1`);
    expect(unknown, view).toMatchObject({ currency: null, merchant_name: null, words_from: 'registry' });
  }
  const now = { code: THIRD, name: OF_THIRD.name, currency: 'KWD', groups: ['north', 'all'] };
  expect(await lake.query('SELECT * FROM merchants')).toMatchObject([now]);
  expect(await lake.query('SELECT * FROM merchants_history ORDER BY since')).toMatchObject([
    { name: 'Noor', currency: 'USD', until: '2026-11-01 00:00:00.000' },
    { ...now, until: null },
  ]);
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
  for (const view of ['all_invoices', 'all_refunds']) {
    const columns = (await lake.trino.columns(`SELECT * FROM ${view}`)).map(([name]) => name);
    expect(columns).toContain('merchant_code');
    expect(
      columns.filter((name) =>
        /customer|phone|email|token|access_key|reference|description|^(split)?url$/.test(name),
      ),
    ).toEqual([]);
  }
});
